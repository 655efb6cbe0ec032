"""Products as a buyer knows them, and the means to write them as XML and JSON.

A document is a dict: name, form, bytes, rows and fields: for each field that matters the exact text of every row, in
order. A text may be a list (several values of one name: how they are joined is the reader's matter), or a dict
{"has": [...]} when the cell must hold these texts among others. Columns are matched by content, never by name.
"""
import random

ADJ = ['Small', 'Oak', 'Säge', 'Café', 'Blue', 'Łódź', 'Heavy', 'Ø 12 mm', '北欧', 'Crème', 'D\'Angelo', '"Pro"', 'R&D', '<A4>', 'Naïve', '100 %']
NOUN = ['table', 'lamp', 'drill', 'T-shirt', 'pump', 'Gehäuse', 'cable 3 m', 'box', 'valve ½"', 'rug', 'chair – folding', 'mug', 'screw M4×20']
BRANDS = ['Northbeck', 'Summit & Co', 'Färber', 'Acme', 'Ötzi', 'Grün']
CATS = ['Home > Kitchen', 'Garden', 'Tools/Power tools', 'Apparel & Accessories > Shoes', 'Büro']
COLOURS = ['red', 'black', 'grün', 'navy blue']
SIZES = ['S', 'M', 'L', 'XL', '38', '40.5']
TAGS = ['new', 'sale', 'b2b', 'heavy', 'éco', '2024']


class Raw(str):
    """JSON text that is written as it is."""


def gtin(r):
    return r.choice(['0', '4', '5', '7', '0']) + ''.join(r.choice('0123456789') for _ in range(12))


def price(r):
    return r.choice(['{:.2f}', '{:.2f}', '{:.2f}', '{:.1f}0']).format(r.uniform(0.5, 900))


def sku(r, i):
    return r.choice(['A-%04d', '00%04d', 'SB%05d-X', '%06d', 'ART.%d']) % (1000 + i * 7)


class Product:
    def __init__(self, r, i, variants=0):
        self.n = i
        self.id = str(900100 + i * 3)
        self.sku = sku(r, i)
        self.title = f'{r.choice(ADJ)} {r.choice(NOUN)} {i}'
        self.brand = r.choice(BRANDS)
        self.cat = r.choice(CATS)
        self.price = price(r)
        self.cost = price(r)
        self.qty = str(r.choice([0, 1, 3, 12, 250, 10000]) + i)
        self.gtin = gtin(r)
        self.tags = r.sample(TAGS, r.randint(2, 4))
        self.desc = f'{self.title}. Made by {self.brand}; 5 < 7 & "so on" no {i}'
        self.live = r.choice(['true', 'false'])
        self.weight = r.choice(['0.250', '1.5', '12', '3.10'])
        self.variants = [Variant(r, self, k) for k in range(variants)]


class Variant:
    def __init__(self, r, p, k):
        self.id = str(int(p.id) * 100 + k)
        self.sku = f'{p.sku}-{k}'
        self.size = SIZES[k % len(SIZES)]
        self.colour = r.choice(COLOURS)
        self.price = price(r)
        self.qty = str(r.randint(0, 400))
        self.gtin = gtin(r)


def products(r, n, lo=0, hi=0):
    return [Product(r, i, r.randint(lo, hi) if hi else 0) for i in range(n)]


def col(ps, *names):
    return {n: [getattr(p, n) for p in ps] for n in names}


def pairs(ps):
    """(product, variant) of every variant; (product, None) of a product without."""
    return [(p, v) for p in ps for v in (p.variants or [None])]


def vcol(ps, own=(), of=()):
    out = {}
    for n in own:
        out['variant ' + n] = [getattr(v, n) if v else '' for _, v in pairs(ps)]
    for n in of:
        out[n] = [getattr(p, n) for p, _ in pairs(ps)]
    return out


def doc(form, name, data, rows, fields, **more):
    for field, values in fields.items():
        assert len(values) == rows, (name, field, len(values), rows)
    if isinstance(data, str):
        data = data.encode('utf-8')
    return {'form': form, 'name': name, 'bytes': data, 'rows': rows, 'fields': fields, **more}


# XML

def esc(text, attr=False, numeric=False):
    out = text.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;')
    if attr:
        out = out.replace('"', '&quot;')
    if numeric:
        out = ''.join(c if ord(c) < 128 else (f'&#{ord(c)};' if ord(c) % 2 else f'&#x{ord(c):X};') for c in out)
    return out


class E:
    """An element: E('item', {'id': '1'}, child, 'text', …); None is left out."""

    def __init__(self, tag, *content):
        self.tag, self.attrs, self.content = tag, {}, []
        for c in content:
            if isinstance(c, dict):
                self.attrs = c
            elif isinstance(c, (list, tuple)):
                self.content += [x for x in c if x is not None]
            elif c is not None:
                self.content.append(c)


class CD(str):
    """Text written as CDATA."""


class Lit(str):
    """XML written as it is (comments, instructions)."""


def xml(e, pretty=False, numeric=False, quote='"', level=0):
    pad = '\n' + '  ' * level if pretty else ''
    if isinstance(e, Lit):
        return pad + e
    if isinstance(e, CD):
        return f'<![CDATA[{e}]]>'
    if isinstance(e, str):
        return esc(e, numeric=numeric)
    attrs = ''.join(
        f' {k}="{esc(v, True, numeric)}"' if quote == '"' else f" {k}='{esc(v, False, numeric).replace(chr(39), '&apos;')}'"
        for k, v in e.attrs.items())
    if not e.content:
        return f'{pad}<{e.tag}{attrs}/>'
    inner = ''.join(xml(c, pretty, numeric, quote, level + 1) for c in e.content)
    mixed = any(isinstance(c, str) and not isinstance(c, Lit) for c in e.content)
    return f'{pad}<{e.tag}{attrs}>{inner}{"" if mixed else pad}</{e.tag}>'


DECL = '<?xml version="1.0" encoding="UTF-8"?>\n'


# JSON

def quote(text, ascii_only=False):
    import json
    return json.dumps(text, ensure_ascii=ascii_only)


class Pairs(list):
    """An object as a list of pairs (so that keys may repeat)."""


def js(v, indent=None, ascii_only=False, level=0):
    if isinstance(v, Raw):
        return str(v)
    if isinstance(v, str):
        return quote(v, ascii_only)
    if v is None:
        return 'null'
    if v is True or v is False:
        return 'true' if v else 'false'
    if isinstance(v, int):
        return str(v)
    nl = '\n' + ' ' * indent * (level + 1) if indent else ''
    end = '\n' + ' ' * indent * level if indent else ''
    sep = ': ' if indent else ':'
    if isinstance(v, (dict, Pairs)):
        items = v.items() if isinstance(v, dict) else v
        body = (f'{nl}{quote(k, ascii_only)}{sep}{js(x, indent, ascii_only, level + 1)}' for k, x in items)
        text = ','.join(body)
        return '{' + text + (end if text else '') + '}'
    text = ','.join(nl + js(x, indent, ascii_only, level + 1) for x in v)
    return '[' + text + (end if text else '') + ']'


def seeded(seed):
    return random.Random(seed)
