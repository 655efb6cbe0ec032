"""The fourth set is written from descriptions of whole files: which tag or key has which value of an item.

A value is named as in Good; `p.` is the product's, `v.` a variant's. What a program writes beside them (versions, dates of
the export, addresses of the supplier) stands in the frame of a file and is nobody's field.
"""
import json
import re
from operator import attrgetter
from types import SimpleNamespace

from model import doc

WARES = [
    ('Combination spanner 13 mm', 'Hand tools'), ('Kettle 1.7 l, steel', 'Kitchen > Small appliances'), ('Rain jacket Fjord', 'Clothing > Jackets'),
    ('Dog food "Adult" 12 kg', 'Pets'), ('Desk lamp E14', 'Lighting'), ('Garden hose ½" 25 m', 'Garden & Outdoor'), ('Školní batoh', 'Škola'),
    ('Wkręty 4x40 (200 szt.)', 'Narzędzia / Wkręty'), ('Kugelschreiber blau', 'Büro'), ('Σαπούνι ελιάς', 'Μπάνιο'), ('Чайник 2 л', 'Посуда'),
    ('Porte-clés cuir', 'Accessoires'), ('Toner for MX-310', 'Printing'), ('Yoga mat 6 mm', 'Sports'), ('Sábana 150 cm', 'Hogar'), ('Hammer & chisel set', 'Hand tools'),
]
BRANDS = ['Vasto', 'Köhler & Co', 'Ridgeline', 'Nová', 'Bergans', 'Okto', 'Maison L’Or']
COLOURS = ['black', 'blau', 'off-white', 'rouge', 'graphite']
SIZES = ['S', 'M', 'L', '39', '41', '110/116']
SCHEMES = ['VX{:05d}', '{:06d}', '{:04d}.{:02d}', '0{:06d}', 'TL-{:d}', '{:d}B']


class Num(str):
    """A number in JSON, written with exactly these characters."""


def goods(r, count, least=0, most=0):
    scheme, cents = r.choice(SCHEMES), r.choice(['{:.2f}', '{:.2f}', '{:.3f}'])
    out = []
    for at in range(count):
        ware, cat = r.choice(WARES)
        cost = r.uniform(0.4, 700)
        g = SimpleNamespace(
            n=str(at + 1), id=str(310_077 + at * 13), sku=scheme.format(3_310 + at * 9, at % 90), mpn=f'{r.choice("KRTZ")}{r.randint(100, 999)}/{at}',
            name=f'{ware} {at + 1}', cat=cat, brand=r.choice(BRANDS), cost=cents.format(cost), price=cents.format(cost * 1.6),
            ean=f'{r.choice([400, 590, 859, 501, 73]):03d}' + ''.join(r.choice('0123456789') for _ in range(10)), qty=str(r.choice([0, 0, 3, 8, 25, 140, 2600]) + at),
            kg=r.choice(['0.120', '2', '14.50', '0.9']), colour=r.choice(COLOURS), size=r.choice(SIZES), date=f'2026-10-{r.randint(1, 28):02d}',
            url=f'https://www.vasto.example/item?id={310_077 + at * 13}&ref=feed', img=f'https://cdn.vasto.example/{at}.jpg', live=r.choice(['true', 'false']),
            imgs=[f'https://cdn.vasto.example/{at}_{k}.jpg' for k in range(r.randint(1, 3))], note=r.choice(['', '', 'last ones', 'solange Vorrat']),
            text=f'{ware}: for work & home, no {at + 1}. Length < 2 m; "A" quality.', new='new', eur='EUR', days=r.choice(['0', '2', '14']), vat=r.choice(['21', '19', '5.5']))
        g.avail = 'out of stock' if g.qty == '0' else 'in stock'
        g.money = f'{g.price} EUR'
        g.comma = g.price.replace('.', ',')
        g.sale = cents.format(cost * 1.2) if r.random() < 0.3 else ''
        g.stores = [str(r.randint(0, 60)) for _ in range(3)]
        g.s1, g.s2, g.s3 = g.stores
        g.vs = []
        sizes = r.sample(SIZES, r.randint(least, most)) if most else []
        for k, size in enumerate(sizes):
            v = SimpleNamespace(**vars(g))
            v.id, v.sku, v.size, v.colour = str(8_800_000 + at * 20 + k), f'{g.sku}-{k + 1}', size, r.choice(COLOURS)
            v.qty, v.price = str(r.choice([0, 4, 31]) + k), cents.format(cost * 1.6 + k)
            v.ean = g.ean[:-2] + f'{k:02d}'
            g.vs.append(v)
        out.append(g)
    return out


def rows(products):
    """A row of each variant."""
    return [SimpleNamespace(p=g, v=v) for g in products for v in g.vs]


def made(form, name, text, records, names, soft='', enc='utf-8', bom=b'', **more):
    """names: the fields that a buyer expects; of those in soft, the text has to be in a cell among others."""
    fields = {field: [attrgetter(field)(record) for record in records] for field in (names + ' ' + soft).split()}
    for field in soft.split():
        fields[field] = [{'has': value if isinstance(value, list) else [value]} for value in fields[field]]
    # One value of a name is a text like others.
    fields = {field: [v[0] if isinstance(v, list) and len(v) == 1 else v for v in values] for field, values in fields.items()}
    data = text if isinstance(text, bytes) else bom + text.encode(enc, 'xmlcharrefreplace' if form in ('xml', 'html') else 'strict')
    return doc(form, name, data, len(records), fields, **more)


def refused(form, name, text, enc='utf-8', **more):
    data = text if isinstance(text, bytes) else text.encode(enc)
    return doc(form, name, data, 0, {}, mustRefuse=True, **more)


def asked(form, name, text, records, names, **more):
    return made(form, name, text, records, names, mayRefuse=True, **more)


# XML

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def x(text):
    return text.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;')


def xa(text):
    return x(text).replace('"', '&quot;')


def t(tag, value, empty='skip', cdata=False):
    """An element; without a value it is skipped, or closed in itself."""
    if isinstance(value, list):
        return ''.join(t(tag, one, empty, cdata) for one in value)
    if value == '' and empty == 'skip':
        return ''
    if value == '':
        return f'<{tag}/>'
    inner = f'<![CDATA[{value}]]>' if cdata else x(value)
    return f'<{tag}>{inner}</{tag.split(" ")[0]}>'


def pairs(spec):
    return [part.split('=') for part in spec.split()]


def tags(good, spec, sep='', empty='skip', cdata=''):
    """Of 'SKU=sku name=p.name': an element for each."""
    return sep.join(filter(None, (t(tag, attrgetter(field)(good), empty, field in cdata.split()) for tag, field in pairs(spec))))


def attrs(good, spec):
    return ' '.join(f'{name}="{xa(attrgetter(field)(good))}"' for name, field in pairs(spec))


# JSON

def number(value):
    return Num(value)


def keys(good, spec):
    """Of 'sku=sku price=#price note=?note': texts, numbers as they are, and null for what is not there."""
    out = {}
    for key, field in pairs(spec):
        value = attrgetter(field.lstrip('#?'))(good)
        value = None if value == '' and field[0] == '?' else Num(value) if field[0] == '#' else {'true': True, 'false': False}.get(value, value) if field[-4:] == 'live' else value
        *path, last = key.split('.')
        at = out
        for step in path:
            at = at.setdefault(step, {})
        at[last] = value
    return out


def dump(value, **how):
    def mark(v):
        if isinstance(v, Num):
            return f'\x01{v}\x01'
        if isinstance(v, dict):
            return {k: mark(one) for k, one in v.items()}
        return [mark(one) for one in v] if isinstance(v, list) else v

    return re.sub(r'"\\u0001(.*?)\\u0001"', r'\1', json.dumps(mark(value), **{'ensure_ascii': False, **how}))


def lines(values, **how):
    return ''.join(dump(value, separators=(',', ':'), **how) + '\n' for value in values)
