"""The third set is written from templates: documents as programs write them, with marks where values stand.

«code» is a value of an item, escaped for the form; ⟦…⟧ is written for each item, ⟪…⟫ in it for each of its variants,
whose values are «v.code». «?note» is null in JSON, or left out with its element in XML, if there is none. What is marked
is what a buyer expects to find, but for «-x», which nobody needs.
"""
import html
import json
import re

from model import doc

NAMES = ['Bremsscheibe vorn', 'Olio extravergine 0,5 l', 'Crème de jour', 'Śruba M8x30', 'USB-C cable 2m', 'Kaffeebohnen "Crema"', 'Jeans slim & straight', 'Πετσέτα μπάνιου', 'Filtr oleju', 'Tablecloth 140×180', 'Gants <taille 9>', 'Chai tea; loose', 'Håndsæbe', 'Batteri AA, 4-pack', 'Сверло 6 мм', '電球 E27', "Children's book", 'Paint RAL 9010 / 2.5 L']
MAKERS = ['Ferodo', 'Monini S.p.A.', 'L’Aube', 'Śrubex', 'Anker', 'Röster & Sohn', 'DENIM Co.', 'Kalamata', 'Mann+Hummel']
GROUPS = ['Auto/Brakes', 'Food > Oils', 'Beauty', 'Hardware', 'Electronics - Cables', 'Tekstil', 'Office & School']
COLOURS = ['beige', 'noir', 'weiß', 'red/white', 'olive']
SIZES = ['XS', '36', '42.5', 'One size', '3XL']
CODES = ['{:08d}', 'FR-{:d}', '{:d}/A', '0{:05d}', 'K{:d}.10', '{:d}-BLK']


def amount(r):
    return f'{r.randint(1, 1900)}.{r.randint(0, 99):02d}'


class Item:
    def __init__(self, r, at, code, variants=0):
        self.at = str(at + 1)
        self.id = str(48_211 + at * 17)
        self.uid = f'{r.getrandbits(32):08x}-7b1c-4d{r.randint(10, 99)}-9a10-{r.getrandbits(48):012x}'
        self.code = code.format(20_415 + at * 37)
        self.name = f'{r.choice(NAMES)} nr {at + 1}'
        self.maker = r.choice(MAKERS)
        self.group = r.choice(GROUPS)
        self.price = amount(r)
        self.cost = amount(r)
        self.comma = amount(r).replace('.', ',')
        self.stock = str(r.choice([0, 0, 2, 7, 40, 1200]) + at)
        self.ean = str(r.choice([0, 2, 3, 4, 5, 8])) + ''.join(r.choice('0123456789') for _ in range(12))
        self.colour = r.choice(COLOURS)
        self.size = r.choice(SIZES)
        self.mass = r.choice(['0.05', '1.250', '7', '22.5'])
        self.note = r.choice(['', '', 'until sold out', 'éphémère', 'ask first'])
        self.flag = r.choice(['true', 'false'])
        self.day = f'2026-{r.randint(1, 12):02d}-{r.randint(1, 28):02d}'
        self.link = f'https://shop.example/p/{self.id}?a=1&b={at}'
        self.variants = []
        for k in range(variants):
            variant = Item(r, at * 10 + k, code)
            variant.code, variant.size, variant.id = f'{self.code}-{k + 1}', SIZES[k], str(700_000 + at * 9 + k)
            self.variants.append(variant)


ESCAPES = {
    'xml': lambda text: html.escape(text, quote=True).replace('&#x27;', '&apos;'),
    'html': lambda text: html.escape(text, quote=False),
    'json': lambda text: json.dumps(text, ensure_ascii=False)[1:-1],
}
ESCAPES['ndjson'] = ESCAPES['json']
JOINS = {'xml': '', 'html': '\n', 'json': ',', 'ndjson': '\n'}


def fill(template, form, item, variant=None):
    escape = ESCAPES[form]

    def value(match):
        sign, name = match[1], match[2]
        text = getattr(variant, name[2:]) if name.startswith('v.') else getattr(item, name)
        if sign != '?':
            return escape(text)
        return ('null' if text == '' else f'"{escape(text)}"') if form in ('json', 'ndjson') else escape(text)

    filled = re.sub('«([-?]?)([a-z.]+)»', value, template)
    return re.sub(r'<([\w:]+)></\1>', '', filled) if form == 'xml' and '«?' in template else filled


def write_items(template, form, items, join):
    def write(match):
        record, out = match[1], []
        between = ',' if form == 'ndjson' and '\n' not in record else join
        for item in items:
            parts = re.split('⟪(.*?)⟫', record, flags=re.S)
            parts = [fill(part, form, item) if at % 2 == 0 else between.join(fill(part, form, item, v) for v in item.variants) for at, part in enumerate(parts)]
            out.append(''.join(parts))
        return join.join(out)

    return re.sub('⟦(.*?)⟧', write, template, flags=re.S)


def build(r, form, name, template, n, enc='utf-8', bom=b'', end=None, last=True, join=None, soft=(), extra=None, empty=(), by_item=False, refuse=False, may=False, spread='', damage=None):
    code = r.choice(CODES)
    has_variants = '⟪' in template and not by_item
    items = [Item(r, at, code, r.randint(1, 3) if '⟪' in template else 0) for at in range(n)]
    text = write_items(template, form, items, JOINS[form] if join is None else join)
    if spread:
        text = text.replace('><', '>\n<') if form == 'xml' else text.replace(',"', ',\n    "').replace('[{', '[\n  {')
    if form == 'ndjson' and last:
        text += '\n'
    if end:
        text = text.replace('\n', end)
    data = bom + text.encode(enc, 'xmlcharrefreplace' if form in ('xml', 'html') else 'strict')
    if damage:
        data = damage(data)
    if refuse:
        return doc(form, name, data, 0, {}, mustRefuse=True)
    rows = [(item, v) for item in items for v in (item.variants if has_variants else [None])]
    fields = {}
    for sign, field in re.findall('«([-?]?)([a-z.]+)»', template):
        if sign == '-' or field in empty:
            continue
        if field.startswith('v.') and by_item:
            fields[field] = [{'has': [getattr(v, field[2:]) for v in item.variants]} for item in items]
            continue
        texts = [getattr(v, field[2:]) if field.startswith('v.') else getattr(item, field) for item, v in rows]
        fields[field] = [{'has': [text]} for text in texts] if field in soft else texts
    for field, text in (extra or {}).items():
        fields[field] = [text] * len(rows)
    return doc(form, name, data, len(rows), fields, **({'mayRefuse': True} if may else {}))
