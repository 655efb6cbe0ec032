"""What may be in the texts and numbers of a file, and how they are encoded."""
import json

from books.products import FOREIGN, TEXTS
from records.catalogue import draw_products
from records.files import File, json_file, kind, lines_file, text_file, xml_file
from records.json_text import Number, Style as JsonStyle, dump, flatten as flatten_json
from records.truth import Either, simple_table
from records.xml_tree import Style, e, escape, write_xml


def tree(random, texts=None):
    products = draw_products(random, len(texts) if texts else None)
    items = [
        e('product', e('sku', product.sku), e('name', texts[at] if texts else product.name), e('qty', product.qty))
        for at, product in enumerate(products)
    ]
    return e('products', items)


PATH = ['products', 'product']


def encoded(random, encoding, declared, texts=None, has_mark=False, **properties):
    return xml_file(
        random,
        tree(random, texts),
        PATH,
        style=Style(encoding=encoding, declared=declared, has_mark=has_mark),
        **properties,
    )


GERMAN = ['Größe 42; weiß', 'Schlüsselanhänger', 'Tür „links“', 'Öl – 5 l', 'Müsli']
CZECH = ['Dětské oblečení', 'Kuchyňský nůž', 'Šroubovák křížový', 'Żółta kurtka', 'Pánské tričko']
RUSSIAN = ['Мужская обувь', 'Отвёртка', 'Кухонный нож', 'Синяя куртка']


@kind
def xml_in_latin_1(random):
    return encoded(random, 'iso-8859-1', 'ISO-8859-1', ['Größe 42', 'Müsli', 'Öl', 'Tür', 'Süß'])


@kind
def xml_in_windows_1252(random):
    return encoded(random, 'windows-1252', 'Windows-1252', GERMAN)


@kind
def xml_in_latin_2(random):
    return encoded(random, 'iso-8859-2', 'iso-8859-2', CZECH)


@kind
def xml_in_windows_1250(random):
    return encoded(random, 'windows-1250', 'windows-1250', CZECH)


@kind
def xml_in_windows_1251(random):
    return encoded(random, 'windows-1251', 'windows-1251', RUSSIAN)


@kind
def xml_in_koi8(random):
    return encoded(random, 'koi8-r', 'KOI8-R', RUSSIAN)


@kind
def xml_in_shift_jis(random):
    return encoded(random, 'shift_jis', 'Shift_JIS', ['メンズシューズ', '子供のおもちゃ', '表示ソート', 'ナイフ'])


@kind
def xml_in_utf_16_of_a_mac(random):
    """With the high byte first."""
    data = write_xml(root := tree(random, FOREIGN[:8]), Style(encoding='utf-16-be', declared='UTF-16'))
    file = xml_file(random, root, PATH, style=Style())
    return File(b'\xfe\xff' + data, 'xml', file.tables)


@kind
def xml_with_a_mark(random):
    return encoded(random, 'utf-8', 'utf-8', FOREIGN[:9], has_mark=True)


@kind
def xml_of_all_scripts(random):
    return encoded(random, 'utf-8', 'UTF-8', FOREIGN)


@kind
def xml_that_says_utf_16_but_is_not(random):
    """As .NET writes a document into a string and that into a file: UTF-8 in truth."""
    return encoded(random, 'utf-8', 'utf-16', GERMAN, is_ambiguous=True, is_checked=False)


@kind
def xml_that_says_utf_8_but_is_not(random):
    """The letters of Windows below a declaration of UTF-8: damaged for everyone who believes it."""
    return encoded(random, 'windows-1252', 'utf-8', GERMAN, is_ambiguous=True, is_checked=False)


@kind
def xml_without_a_declaration_in_latin_1(random):
    return encoded(
        random, 'iso-8859-1', None, ['Größe 42', 'Müsli', 'Öl', 'Tür', 'Süß'], is_ambiguous=True, is_checked=False
    )


@kind
def characters_by_number(random):
    """Decimal, hexadecimal, and beyond the first plane."""
    texts = [random.choice(FOREIGN) for _ in range(8)]
    write = [lambda one: f'&#{ord(one)};', lambda one: f'&#x{ord(one):x};', lambda one: f'&#x{ord(one):04X};']
    items = ''.join(
        f'<product><sku>A-{at}</sku><name>'
        f'{"".join(random.choice(write)(one) if ord(one) > 126 or one == " " else one for one in text)}</name>'
        '</product>'
        for at, text in enumerate(texts)
    )
    table = simple_table([{'sku': f'A-{at}', 'name': text} for at, text in enumerate(texts)], '/', PATH)
    return text_file(f'<?xml version="1.0"?>\n<products>{items}</products>', 'xml', [table])


@kind
def five_entities(random):
    return encoded(
        random,
        'utf-8',
        'utf-8',
        ['a < b & c > d', '"quoted" & \'single\'', '&amp; &lt;', '&#65;', '<b>bold</b>', ']]>'],
    )


@kind
def attributes_of_all_texts(random):
    rows = [
        {'sku': f'A-{at}', 'text': text}
        for at, text in enumerate([*TEXTS, 'a & b < c > d', "it's \"both\"", FOREIGN[3]])
    ]
    style = Style(quote=random.choice('"\''), indent=None)
    return xml_file(random, e('products', [e('product', row) for row in rows]), PATH, style=style)


@kind
def cdata_in_pieces(random):
    """As `]]>` has to be written, and beside text."""
    texts = ['a ]]> b', 'x <![CDATA[ y', 'one & two', '<p>html</p>', 'Boot  black']
    written = [
        '<![CDATA[a ]]]]><![CDATA[> b]]>',
        'x &lt;![CDATA[ y',
        'one <![CDATA[& two]]>',
        '<![CDATA[<p>]]>html<![CDATA[</p>]]>',
        'Boot <![CDATA[ black]]>',
    ]
    items = ''.join(f'<product><sku>A-{at}</sku><name>{text}</name></product>\n' for at, text in enumerate(written))
    table = simple_table([{'sku': f'A-{at}', 'name': text} for at, text in enumerate(texts)], '/', PATH)
    return text_file(f'<?xml version="1.0" encoding="UTF-8"?>\n<products>\n{items}</products>\n', 'xml', [table])


@kind
def comments_and_instructions_between(random):
    """Also in the middle of a text, of which they are no part."""
    products = draw_products(random)
    items = [
        f'<?row {at}?><product><!-- <sku>OLD</sku> --><sku>{product.sku[:2]}<!-- here -->{product.sku[2:]}</sku>'
        f'<?php echo 1 ?><qty>{product.qty}<?x?></qty></product>'
        for at, product in enumerate(products)
    ]
    table = simple_table([{'sku': product.sku, 'qty': product.qty} for product in products], '/', PATH)
    return text_file(
        (
            f'<!-- a --><?b?>\n<products><!-- <product><sku>no</sku></product> -->{"".join(items)}</products>'
            '<!-- c -->\n<?d?>'
        ),
        'xml',
        [table],
    )


@kind
def white_space_around_texts(random):
    """Programs that indent texts: what is around them may be kept or not."""
    products = draw_products(random)
    items = ''.join(
        f'<product>\n    <sku>\n      {product.sku}\n    </sku>\n'
        f'    <name>  {escape(product.name, Style())} </name>\n    <qty> </qty>\n  </product>\n'
        for product in products
    )
    rows = [
        {
            'sku': Either([product.sku, f'\n      {product.sku}\n    ']),
            'name': Either([product.name, f'  {product.name} ']),
            'qty': Either(['', ' ']),
        }
        for product in products
    ]
    return text_file(
        f'<products>\n{items}</products>', 'xml', [simple_table(rows, '/', PATH, ['qty'])], is_checked=False
    )


@kind
def lines_in_texts(random):
    texts = ['one\ntwo', 'a\n\nb', 'tab\there', '- x\n- y\n- z', 'five']
    return xml_file(
        random, tree(random, texts), PATH, style=Style(newline=random.choice(['\n', '\r\n']), has_cdata=True)
    )


@kind
def nil_empty_and_absent(random):
    items = []
    for at, product in enumerate(draw_products(random, 8)):
        qty = [e('qty', product.qty), e('qty', {'xsi:nil': 'true'}), e('qty'), None][at % 4]
        items.append(e('product', e('sku', product.sku), qty, e('price', product.price)))
    root = e('products', {'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance'}, items)
    return xml_file(random, root, PATH, style=Style(is_paired=random.random() < 0.5))


@kind
def texts_with_markup(random):
    """Descriptions that are XHTML, not escaped."""
    items = []
    for product in draw_products(random):
        text = (
            e('description', 'Soft ', e('b', 'leather'), ', ', e('i', 'waterproof'), '.')
            if int(product.id) % 2
            else e('description', product.description)
        )
        items.append(e('product', e('sku', product.sku), text, e('qty', product.qty)))
    return xml_file(
        random, e('products', items), PATH, style=Style(indent=random.choice([None, '  '])), is_checked=False
    )


@kind
def default_and_other_namespaces(random):
    """One name by two prefixes, of which the second is declared where it is used."""
    products = draw_products(random)
    items = ''
    for at, product in enumerate(products):
        prefix, declared = [('', ''), ('x:', ' xmlns:x="urn:shop"')][at % 2]
        items += (
            f'<{prefix}product{declared}><{prefix}sku>{product.sku}</{prefix}sku>'
            f'<{prefix}qty>{product.qty}</{prefix}qty></{prefix}product>'
        )
    table = simple_table([{'sku': product.sku, 'qty': product.qty} for product in products], '/', PATH)
    return text_file(
        f'<products xmlns="urn:shop">{items}</products>', 'xml', [table], is_ambiguous=True, is_checked=False
    )


@kind
def prefixed_names(random):
    items = [
        e(
            'inv:item',
            {'inv:status': 'A'},
            e('inv:sku', product.sku),
            e('inv:level', e('inv:onHand', product.qty), e('inv:onOrder', '0')),
        )
        for product in draw_products(random)
    ]
    return xml_file(
        random,
        e('inv:stock', {'xmlns:inv': 'urn:alpina:inventory'}, e('inv:items', items)),
        ['inv:stock', 'inv:items', 'inv:item'],
    )


@kind
def names_of_all_kinds(random):
    items = [
        e(
            'Artikel-Nr.1',
            e('größe', 'M'),
            e('_id', product.id),
            e('Preis.netto', product.price),
            e('qty-on.hand', product.qty),
            e('名前', product.name),
        )
        for product in draw_products(random)
    ]
    return xml_file(random, e('Liste', items), ['Liste', 'Artikel-Nr.1'], style=Style())


@kind
def id_as_attribute_and_element(random):
    items = [
        e(
            'product',
            {'id': product.id, 'sku': f'p{at}'},
            e('id', f'{at}'),
            e('sku', product.sku),
            e('qty', product.qty),
        )
        for at, product in enumerate(draw_products(random))
    ]
    return xml_file(random, e('products', items), PATH)


@kind
def long_texts(random):
    text = ' '.join(random.choice(TEXTS) for _ in range(400))
    items = [
        e('product', e('sku', product.sku), e('description', f'{at}: {text}'), e('qty', product.qty))
        for at, product in enumerate(draw_products(random, 4))
    ]
    return xml_file(random, e('products', items), PATH, style=Style(has_cdata=random.random() < 0.5))


@kind
def zeros_and_long_numbers_in_xml(random):
    values = [
        '007',
        '00000000000000000042',
        '12345678901234567890',
        '1.10',
        '1e3',
        '-0',
        '+5',
        '0x1F',
        '1,234.50',
        '١٢',
    ]
    items = [e('product', e('sku', value), e('ean', f'0{at}'), e('price', value)) for at, value in enumerate(values)]
    return xml_file(random, e('products', items), PATH)


@kind
def xml_1_1(random):
    data = write_xml(root := tree(random), Style(declared=None))
    file = xml_file(random, root, PATH, style=Style())
    return File(
        b'<?xml version="1.1" encoding="UTF-8" standalone="yes"?>\n' + data, 'xml', file.tables, is_ambiguous=True
    )


@kind
def numbers_as_written(random):
    numbers = [
        '1.10',
        '1e3',
        '-0',
        '12345678901234567890',
        '1E+2',
        '0.1',
        '100',
        '1.0',
        '-5.50',
        '0.30000000000000004',
        '1e-7',
        '9007199254740993',
    ]
    return json_file(random, [{'sku': f'A-{at}', 'price': Number(number)} for at, number in enumerate(numbers)])


@kind
def zeros_in_texts(random):
    values = [
        {
            'sku': f'{at:08}',
            'ean': product.ean,
            'version': '1.10',
            'qty': product.qty if at % 2 else Number(product.qty),
        }
        for at, product in enumerate(draw_products(random))
    ]
    return json_file(random, values)


@kind
def null_empty_and_absent(random):
    values = []
    for at, product in enumerate(draw_products(random, 8)):
        optional = [{'qty': None}, {'qty': ''}, {}, {'qty': Number(product.qty)}][at % 4]
        values.append(
            {
                'sku': product.sku,
                **optional,
                'tags': [['a', 'b'], [], None, ['c']][at % 4],
                'price': Number(product.price),
            }
        )
    return json_file(random, values)


@kind
def booleans(random):
    values = [
        {'sku': product.sku, 'active': at % 2 == 0, 'new': [True, None, 'true'][at % 3], 'qty': Number(product.qty)}
        for at, product in enumerate(draw_products(random))
    ]
    return json_file(random, values)


@kind
def escapes_of_characters(random):
    """Unicode by number, pairs for what is beyond the first plane, and a slash that needs none."""
    values = [
        {'sku': f'A/{at}', 'name': text}
        for at, text in enumerate([*FOREIGN, 'tab\there', 'back\\slash', 'quote"s', 'new\nline', 'a/b', 'é\u00a0ü'])
    ]
    text = dump(values, JsonStyle(is_ascii=True)).replace('/', '\\/')
    return text_file(text, 'json', [flatten_json(values)])


@kind
def half_a_pair(random):
    """A text that was cut in the middle of a character."""
    text = (
        '[{"sku":"A-1","name":"shoe \\ud83d","qty":5},{"sku":"A-2","name":"hat","qty":7},'
        '{"sku":"A-3","name":"bag","qty":1}]'
    )
    rows = [
        {'sku': 'A-1', 'name': Either(['shoe \ufffd', 'shoe \\ud83d', 'shoe ']), 'qty': '5'},
        {'sku': 'A-2', 'name': 'hat', 'qty': '7'},
        {'sku': 'A-3', 'name': 'bag', 'qty': '1'},
    ]
    return text_file(text, 'json', [simple_table(rows)], is_ambiguous=True, is_checked=False)


@kind
def json_with_a_mark(random):
    values = [{'sku': product.sku, 'name': text} for product, text in zip(draw_products(random), FOREIGN)]
    return json_file(random, values, style=JsonStyle(has_mark=True, indent='  '))


@kind
def json_in_utf_16(random):
    values = [
        {'sku': product.sku, 'name': text, 'qty': Number(product.qty)}
        for product, text in zip(draw_products(random), FOREIGN)
    ]
    return json_file(random, values, style=JsonStyle(encoding='utf-16', indent='  '))


@kind
def json_in_latin_1(random):
    """Against the standard, as old PHP sends it."""
    values = [
        {'sku': product.sku, 'name': text}
        for product, text in zip(draw_products(random, 5), ['Größe', 'Müsli', 'Öl', 'Tür', 'Süß'])
    ]
    return json_file(random, values, style=JsonStyle(encoding='iso-8859-1'), is_ambiguous=True, is_checked=False)


@kind
def json_of_all_texts(random):
    return json_file(
        random, [{'sku': f'A-{at}', 'text': text, 'note': random.choice(TEXTS)} for at, text in enumerate(TEXTS)]
    )


@kind
def json_white_space(random):
    values = [
        {'sku': product.sku, 'qty': Number(product.qty), 'tags': ['a', 'b']} for product in draw_products(random)
    ]
    text = dump(values, JsonStyle(indent='\t\t')).replace(': ', ' :\r\n ').replace('\n', '\r\n')
    return text_file(f'\r\n  {text}  \r\n\r\n', 'json', [flatten_json(values)])


@kind
def keys_of_all_kinds(random):
    values = [
        {
            'Artikel Nr.': product.sku,
            'qty': Number(product.qty),
            '名前': product.name,
            'a.b': 'x',
            'price/EUR': Number(product.price),
            '@id': product.id,
            'größe': 'M',
            'line\nbreak': '1',
        }
        for product in draw_products(random)
    ]
    return json_file(random, values)


@kind
def keys_in_any_order(random):
    values = []
    for product in draw_products(random):
        items = list(
            {
                'sku': product.sku,
                'name': product.name,
                'qty': Number(product.qty),
                'price': Number(product.price),
                'brand': product.brand,
            }.items()
        )
        random.shuffle(items)
        values.append(dict(items))
    return json_file(random, values)


@kind
def values_of_different_types(random):
    """A price that is a number, a text, or an object with a currency."""
    values = [
        {
            'sku': product.sku,
            'price': [Number(product.price), product.price, {'amount': Number(product.price), 'currency': 'EUR'}][
                at % 3
            ],
        }
        for at, product in enumerate(draw_products(random, 7))
    ]
    return json_file(random, values)


@kind
def texts_or_lists(random):
    """One picture is a text, several are a list."""
    values = [
        {
            'sku': product.sku,
            'image': product.images if len(product.images) > 1 else product.images[0],
            'qty': Number(product.qty),
        }
        for product in draw_products(random)
    ]
    return json_file(random, values)


@kind
def the_same_key_twice(random):
    text = ',\n'.join(f'{{"sku":"A-{at}","qty":{at},"price":"1.0{at}","qty":{at + 50}}}' for at in range(5))
    # Most programs take the last one.
    tables = [
        simple_table([{'sku': f'A-{at}', 'qty': qty(at), 'price': f'1.0{at}'} for at in range(5)])
        for qty in (lambda at: str(at + 50), lambda at: f'{at} | {at + 50}')
    ]
    return text_file(f'[{text}]', 'json', tables, is_ambiguous=True, is_checked=False)


@kind
def not_a_number(random):
    """As Python writes what JSON does not have."""
    values = [
        {'sku': f'A-{at}', 'price': value} for at, value in enumerate([1.5, float('nan'), 2.25, float('inf'), 3.0])
    ]
    rows = [
        {'sku': value['sku'], 'price': [str(value['price']), 'NaN', str(value['price']), 'Infinity', '3.0'][at]}
        for at, value in enumerate(values)
    ]
    empty = [{**row, 'price': '' if row['price'] in ('NaN', 'Infinity') else row['price']} for row in rows]
    return text_file(
        json.dumps(values), 'json', [simple_table(rows), simple_table(empty)], is_ambiguous=True, is_checked=False
    )


@kind
def lines_with_changing_keys(random):
    values = []
    for at, product in enumerate(draw_products(random, 12)):
        values.append(
            {
                'sku': product.sku,
                'qty': Number(product.qty),
                **({'price': Number(product.price)} if at > 5 else {}),
                **({'note': 'last', 'dims': {'w': Number(1)}} if at > 9 else {}),
            }
        )
    return lines_file(values)


@kind
def lines_of_windows(random):
    values = [
        {'sku': product.sku, 'name': product.name, 'qty': Number(product.qty)} for product in draw_products(random)
    ]
    return lines_file(values, newline='\r\n')


@kind
def lines_with_blank_lines(random):
    values = [
        {'sku': product.sku, 'name': product.name, 'qty': Number(product.qty)} for product in draw_products(random)
    ]
    return lines_file(values, newline='\n\n')


@kind
def lines_with_variants(random):
    values = [
        {
            'id': Number(product.id),
            'title': product.name,
            'variants': [
                {'sku': one.sku, 'size': one.size, 'qty': Number(one.qty), 'price': Number(one.price)}
                for one in product.variants
            ],
        }
        for product in draw_products(random, 5, has_variants=True)
    ]
    return lines_file(values, variants=['variants'])


@kind
def lines_without_a_last_line_end(random):
    values = [{'sku': product.sku, 'qty': Number(product.qty)} for product in draw_products(random)]
    return text_file('\n'.join(map(dump, values)), 'ndjson', [flatten_json(values)])


@kind
def one_line(random):
    values = [{'sku': product.sku, 'qty': Number(product.qty)} for product in draw_products(random, 1)]
    return lines_file(values, is_ambiguous=True)


@kind
def numbers_and_texts_nested_in_lists(random):
    values = [
        {
            'sku': product.sku,
            'dims': [[Number(1), Number(2)], [Number(3)]],
            'options': [{'name': 'Size', 'values': ['S', 'M']}, {'name': 'a "b"'}],
            'qty': Number(product.qty),
        }
        for product in draw_products(random)
    ]
    return json_file(random, values)
