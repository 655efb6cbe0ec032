"""How records lie in a document: with variants, several lists, groups, and where nobody can know."""
from records.catalogue import draw_categories, draw_products
from records.files import File, json_file, kind, lines_file, xml_file
from records.json_text import Number
from records.truth import Table, simple_table
from records.xml_tree import Style, e, flatten, write_xml

PATH = ['products', 'product']


def variant(one):
    return e('variant', e('sku', one.sku), e('size', one.size), e('qty', one.qty), e('price', one.price))


def with_variants(random, build, count=5):
    products = draw_products(random, count, has_variants=True)
    return e('products', [build(at, product) for at, product in enumerate(products)])


@kind
def variants_after_the_fields(random):
    root = with_variants(
        random,
        lambda at, one: e(
            'product',
            e('id', one.id),
            e('title', one.name),
            e('brand', one.brand),
            e('variants', list(map(variant, one.variants))),
        ),
    )
    return xml_file(random, root, PATH, ['variants', 'variant'])


@kind
def variants_before_the_fields(random):
    """What a product has is known only after its variants."""
    root = with_variants(
        random,
        lambda at, one: e(
            'product',
            e('variants', list(map(variant, one.variants))),
            e('id', one.id),
            e('title', one.name),
            e('brand', one.brand),
        ),
    )
    return xml_file(random, root, PATH, ['variants', 'variant'])


@kind
def variants_between_the_fields(random):
    root = with_variants(
        random,
        lambda at, one: e(
            'product', e('id', one.id), list(map(variant, one.variants)), e('title', one.name), e('brand', one.brand)
        ),
    )
    return xml_file(random, root, PATH, ['variant'])


@kind
def variants_of_attributes(random):
    root = with_variants(
        random,
        lambda at, one: e(
            'product',
            {'code': one.sku, 'name': one.name},
            [e('variant', {'sku': v.sku, 'size': v.size, 'stock': v.qty, 'price': v.price}) for v in one.variants],
        ),
    )
    return xml_file(random, root, PATH, ['variant'])


@kind
def variants_with_the_names_of_the_record(random):
    """Both have an article number, a price and a stock."""
    root = with_variants(
        random,
        lambda at, one: e(
            'product',
            e('sku', one.sku),
            e('price', one.price),
            e('qty', one.qty),
            e('name', one.name),
            e('variants', list(map(variant, one.variants))),
        ),
    )
    return xml_file(random, root, PATH, ['variants', 'variant'])


@kind
def some_without_variants(random):
    root = with_variants(
        random,
        lambda at, one: e(
            'product',
            e('id', one.id),
            e('title', one.name),
            e('price', one.price),
            e('variants', list(map(variant, one.variants))) if at % 3 else None,
        ),
        7,
    )
    return xml_file(random, root, PATH, ['variants', 'variant'])


@kind
def first_without_variants(random):
    """They are seen only further down."""
    root = with_variants(
        random,
        lambda at, one: e(
            'product',
            e('id', one.id),
            e('title', one.name),
            e('variants', list(map(variant, one.variants))) if at > 3 else e('variants'),
        ),
        8,
    )
    return xml_file(random, root, PATH, ['variants', 'variant'])


@kind
def one_product_with_variants_in_xml(random):
    root = with_variants(
        random,
        lambda at, one: e(
            'product', e('id', one.id), e('title', one.name), e('variants', list(map(variant, one.variants)))
        ),
        1,
    )
    return xml_file(random, root, PATH, ['variants', 'variant'])


@kind
def colours_with_sizes(random):
    """Two levels of variants: rows are the inner ones, with what stands above."""
    products = draw_products(random, 3)
    items, rows = [], []
    for product in products:
        colours = []
        for colour in ('red', 'black'):
            sizes = [
                e('size', {'name': size}, e('ean', f'{product.ean}{colour[0]}{size}'), e('qty', str(len(size) + at)))
                for at, size in enumerate(('S', 'M', 'XL'))
            ]
            rows += [
                {
                    'id': product.id,
                    'name': product.name,
                    'colour': colour,
                    'image': f'{product.id}-{colour}.jpg',
                    'size': one.attributes['name'],
                    'ean': one.children[0].texts(),
                    'qty': one.children[1].texts(),
                }
                for one in sizes
            ]
            colours.append(e('colour', {'name': colour}, e('image', f'{product.id}-{colour}.jpg'), e('sizes', sizes)))
        items.append(e('product', e('id', product.id), e('name', product.name), e('colours', colours)))
    table = Table('/', PATH)
    columns = {
        'id': table.column('id'),
        'name': table.column('name'),
        'colour': table.column('colours', 'colour', attribute='name'),
        'image': table.column('colours', 'colour', 'image'),
        'size': table.column('colours', 'colour', 'sizes', 'size', attribute='name'),
        'ean': table.column('colours', 'colour', 'sizes', 'size', 'ean'),
        'qty': table.column('colours', 'colour', 'sizes', 'size', 'qty'),
    }
    table.rows = [{columns[name]: cell for name, cell in row.items()} for row in rows]
    return File(write_xml(e('products', items), Style()), 'xml', [table], is_ambiguous=True, is_checked=False)


@kind
def pictures_are_no_variants(random):
    """They have several fields and are more than the products, but none of their own is for sale."""
    items = [
        e(
            'product',
            e('sku', one.sku),
            e('qty', one.qty),
            e(
                'images',
                [
                    e(
                        'image',
                        e('url', f'https://img.example/{one.id}/{at}.jpg'),
                        e('width', '800'),
                        e('position', str(at)),
                    )
                    for at in range(4)
                ],
            ),
        )
        for one in draw_products(random, 5)
    ]
    return xml_file(random, e('products', items), PATH)


@kind
def attributes_are_no_variants(random):
    items = [
        e(
            'product',
            e('sku', one.sku),
            e('qty', one.qty),
            e(
                'attributes',
                [
                    e('attribute', e('name', name), e('value', value))
                    for name, value in (('Colour', 'red'), ('Weight', one.weight), ('Material', 'wool'))
                ],
            ),
        )
        for one in draw_products(random, 5)
    ]
    return xml_file(random, e('products', items), PATH)


@kind
def prices_by_currency(random):
    items = [
        e(
            'product',
            e('sku', one.sku),
            e('price', {'currency': 'EUR'}, one.price),
            e('price', {'currency': 'USD'}, f'{one.id}.99'),
            e('price', {'currency': 'GBP'}, '7.77') if at % 2 else None,
            e('qty', one.qty),
        )
        for at, one in enumerate(draw_products(random))
    ]
    return xml_file(random, e('products', items), PATH, by={'price': 'currency'})


@kind
def one_price_with_a_currency(random):
    items = [
        e(
            'product',
            e('sku', one.sku),
            e('price', {'currency': 'EUR', 'vat': '19'}, one.price),
            e('qty', {'unit': 'pcs'}, one.qty),
        )
        for one in draw_products(random)
    ]
    return xml_file(random, e('products', items), PATH)


@kind
def prices_for_quantities(random):
    """Scales: their prices are no rows."""
    items = [
        e(
            'product',
            e('sku', one.sku),
            e('name', one.name),
            e(
                'prices',
                e('price', {'from': '1'}, one.price),
                e('price', {'from': '10'}, '8.00'),
                e('price', {'from': '100'}, '7.00'),
            ),
        )
        for one in draw_products(random)
    ]
    root = e('products', items)
    file = xml_file(random, root, PATH, by={'price': 'from'})
    file.tables.append(flatten(root, PATH))
    return file


@kind
def stock_by_warehouse(random):
    items = [
        e(
            'product',
            e('sku', one.sku),
            e(
                'stock',
                [e('warehouse', {'id': place}, qty) for place, qty in (('BER', one.qty), ('HAM', '3'), ('MUC', '0'))],
            ),
        )
        for one in draw_products(random)
    ]
    return xml_file(random, e('products', items), PATH, by={'warehouse': 'id'})


@kind
def stock_by_warehouse_in_json(random):
    values = [
        {
            'sku': one.sku,
            'stock': {'BER': Number(one.qty), **({'HAM': Number(3)} if at % 2 else {})},
            'prices': {'EUR': Number(one.price)},
        }
        for at, one in enumerate(draw_products(random))
    ]
    return json_file(random, values)


@kind
def texts_in_languages(random):
    items = [
        e(
            'product',
            e('sku', one.sku),
            e('name', {'xml:lang': 'en'}, one.name),
            e('name', {'xml:lang': 'de'}, f'{one.name} (de)'),
            e('name', {'xml:lang': 'cs'}, 'červená') if at % 2 else None,
            e('qty', one.qty),
        )
        for at, one in enumerate(draw_products(random))
    ]
    return xml_file(random, e('products', items), PATH, by={'name': 'xml:lang'})


@kind
def fields_by_name(random):
    items = [
        e(
            'item',
            [
                e('field', value, name=name)
                for name, value in (
                    ('sku', one.sku),
                    ('qty', one.qty),
                    ('price', one.price),
                    ('Farbe & Größe', 'rot'),
                )
            ],
        )
        for one in draw_products(random)
    ]
    return xml_file(random, e('items', items), ['items', 'item'], by={'field': 'name'})


@kind
def fields_by_key_and_value(random):
    """Both are attributes: the names are only known by looking at the values."""
    products = draw_products(random)
    items = [
        e(
            'item',
            [
                e('attr', {'key': name, 'value': value})
                for name, value in (('sku', one.sku), ('qty', one.qty), ('price', one.price))
            ],
        )
        for one in products
    ]
    table = simple_table([{'sku': one.sku, 'qty': one.qty, 'price': one.price} for one in products])
    return File(write_xml(e('items', items), Style()), 'xml', [table], is_ambiguous=True, is_checked=False)


@kind
def categories_beside_products(random):
    categories = e(
        'categories',
        [
            e('category', e('id', id), e('name', name), e('parent', parent))
            for id, parent, name in draw_categories(random, 15)
        ],
    )
    products = e(
        'products',
        [
            e('product', e('sku', one.sku), e('name', one.name), e('category_id', '2'), e('qty', one.qty))
            for one in draw_products(random, 6)
        ],
    )
    return xml_file(
        random,
        e('catalogue', e('info', e('date', '2026-11-25')), categories, products),
        ['catalogue', 'products', 'product'],
    )


@kind
def categories_as_a_tree(random):
    """Nested in each other, ahead of the products."""
    tree = e(
        'category',
        {'id': '1', 'name': 'All'},
        [
            e('category', {'id': f'{at}'}, e('category', {'id': f'{at}1', 'name': 'x'}), name=f'Group {at}')
            for at in range(2, 7)
        ],
    )
    products = e(
        'products',
        [
            e('product', {'category': '21'}, e('sku', one.sku), e('qty', one.qty), e('price', one.price))
            for one in draw_products(random, 6)
        ],
    )
    return xml_file(random, e('catalogue', e('categories', tree), products), ['catalogue', 'products', 'product'])


@kind
def products_in_categories(random):
    """The category stands above its products."""
    products = draw_products(random, 7)
    groups = [
        e(
            'category',
            {'name': name},
            [e('product', e('sku', one.sku), e('name', one.name), e('qty', one.qty)) for one in products[start:end]],
        )
        for name, start, end in (('Shoes', 0, 3), ('Hats', 3, 5), ('Tools', 5, 7))
    ]
    root = e('catalogue', groups)
    file = xml_file(random, root, ['catalogue', 'category'], ['product'])
    file.tables.append(flatten(root, ['catalogue', 'category', 'product']))
    return file


@kind
def products_at_several_depths(random):
    """In categories and in categories of these: no one path has them all."""
    products = draw_products(random, 9)

    def item(one):
        return e('product', e('sku', one.sku), e('qty', one.qty))

    inner = e('category', {'name': 'Boots'}, list(map(item, products[3:6])))
    root = e(
        'catalogue',
        e('category', {'name': 'Shoes'}, list(map(item, products[:3])), inner),
        e('category', {'name': 'Hats'}, list(map(item, products[6:]))),
    )
    table = simple_table([{'sku': one.sku, 'qty': one.qty} for one in products])
    return File(write_xml(root, Style()), 'xml', [table], is_ambiguous=True, is_checked=False)


@kind
def two_warehouses(random):
    products = draw_products(random, 4)
    places = [
        e(
            'warehouse',
            {'code': code},
            e('products', [e('product', e('sku', one.sku), e('qty', f'{one.qty}{at}')) for one in products]),
        )
        for at, code in enumerate(('BER', 'HAM'))
    ]
    root = e('stock', places)
    file = xml_file(random, root, ['stock', 'warehouse'], ['products', 'product'])
    # Without the warehouse, the rows are complete, but cannot be told apart.
    file.is_ambiguous = True
    return file


@kind
def header_and_footer(random):
    products = draw_products(random)
    header = e(
        'header',
        e('supplier', e('name', 'Alpina'), e('street', 'Main 1'), e('contact', e('mail', 'a@alpina.example'))),
        e('created', '2026-11-25T06:30:00'),
        e('version', '2.0'),
    )
    footer = e('footer', e('count', str(len(products))), e('checksum', 'ab12'))
    items = [e('article', e('number', one.sku), e('text', one.name), e('stock', one.qty)) for one in products]
    return xml_file(random, e('export', header, e('articles', items), footer), ['export', 'articles', 'article'])


@kind
def records_beside_the_header(random):
    """No element is around them alone."""
    items = [
        e('article', e('number', one.sku), e('text', one.name), e('stock', one.qty)) for one in draw_products(random)
    ]
    root = e('export', e('date', '2026-11-25'), e('currency', 'EUR'), items, e('total', str(len(items))))
    return xml_file(random, root, ['export', 'article'])


@kind
def orders_and_products(random):
    orders = [
        e('order', e('number', f'O-{at}'), e('customer', f'C-{at}'), e('total', f'{at}9.90'), e('date', '2026-11-24'))
        for at in range(12)
    ]
    products = [
        e('product', e('sku', one.sku), e('name', one.name), e('qty', one.qty), e('price', one.price))
        for one in draw_products(random, 6)
    ]
    return xml_file(
        random,
        e('export', e('orders', orders), e('products', products)),
        ['export', 'products', 'product'],
        is_ambiguous=True,
    )


@kind
def orders_with_lines(random):
    """The lines of an order are articles, but nobody has these in stock."""
    orders = [
        e(
            'order',
            {'number': f'O-{at}'},
            e('customer', 'Cedro'),
            [e('line', e('sku', one.sku), e('qty', '2'), e('price', one.price)) for one in draw_products(random, 3)],
        )
        for at in range(3)
    ]
    return xml_file(random, e('orders', orders), ['orders', 'order'], ['line'], is_ambiguous=True)


@kind
def prices_and_stock_apart(random):
    products = draw_products(random)
    prices = e('prices', [e('price', {'sku': one.sku}, one.price) for one in products])
    stocks = e('stocks', [e('stock', e('sku', one.sku), e('qty', one.qty), e('place', 'BER')) for one in products])
    root = e('export', stocks, prices)
    file = xml_file(random, root, ['export', 'stocks', 'stock'], is_ambiguous=True)
    file.tables.append(flatten(root, ['export', 'prices', 'price']))
    return file


@kind
def products_and_removed_ones(random):
    """Those that are gone are listed beside those that are there."""
    products = [
        e('product', e('sku', one.sku), e('name', one.name), e('qty', one.qty)) for one in draw_products(random, 6)
    ]
    removed = [e('product', e('sku', f'OLD-{at}')) for at in range(4)]
    return xml_file(
        random,
        e('update', {'date': '2026-11-25'}, e('products', products), e('removed', removed)),
        ['update', 'products', 'product'],
    )


@kind
def records_of_several_names(random):
    """An element for each kind of article."""
    products = draw_products(random, 8)
    names = ['shoe', 'hat', 'tool']
    items = [
        e(names[at % 3], e('sku', one.sku), e('qty', one.qty), e('price', one.price))
        for at, one in enumerate(products)
    ]
    table = simple_table([{'sku': one.sku, 'qty': one.qty, 'price': one.price} for one in products])
    return File(write_xml(e('stock', items), Style()), 'xml', [table], is_ambiguous=True, is_checked=False)


@kind
def one_product_in_xml(random):
    one = draw_products(random, 1)[0]
    root = e(
        'products', e('product', e('sku', one.sku), e('name', one.name), e('qty', one.qty), e('price', one.price))
    )
    return xml_file(random, root, PATH, is_ambiguous=True)


@kind
def two_products(random):
    root = e(
        'products',
        [
            e(
                'product',
                e('sku', one.sku),
                e('qty', one.qty),
                e('price', one.price),
                e('images', [e('image', f'{one.id}-{at}.jpg') for at in range(6)]),
            )
            for one in draw_products(random, 2)
        ],
    )
    return xml_file(random, root, PATH)


@kind
def many_columns(random):
    items = [
        e(
            'product',
            e('sku', one.sku),
            e('qty', one.qty),
            [e(f'attribute_{at}', str(at)) for at in range(120) if random.random() < 0.6],
        )
        for one in draw_products(random, 6)
    ]
    return xml_file(random, e('products', items), PATH)


@kind
def late_columns(random):
    """A field that only the last records have."""
    items = [
        e(
            'product',
            e('sku', f'A-{at:05}'),
            e('qty', str(at)),
            e('sale', e('price', '1.99')) if at > 395 else None,
            e('flag', {'new': 'yes'}, 'x') if at == 399 else None,
        )
        for at in range(400)
    ]
    return xml_file(random, e('products', items), PATH, style=Style())


@kind
def column_after_two_megabytes(random):
    """Later than a preview reads."""
    filler = 'The same text about this article. ' * 250
    values = [
        {'sku': f'A-{at:04}', 'text': f'{at} {filler}', 'qty': Number(at), **({'late': f'x{at}'} if at > 297 else {})}
        for at in range(300)
    ]
    return lines_file(values)


@kind
def products_after_two_megabytes(random):
    """A long list of something else comes first: what is read of the beginning has no product."""
    filler = 'A text about this category that says nothing. ' * 200
    categories = [e('category', e('id', str(at)), e('name', f'C {at}'), e('text', filler)) for at in range(240)]
    products = [
        e('product', e('sku', one.sku), e('qty', one.qty), e('price', one.price))
        for one in draw_products(random, 400)
    ]
    root = e('export', e('categories', categories), e('products', products))
    return xml_file(random, root, ['export', 'products', 'product'], style=Style(), is_ambiguous=True)


@kind
def variants_after_two_megabytes(random):
    """The beginning has articles without them."""
    filler = 'A text about this article that says nothing. ' * 200
    items = [e('product', e('sku', f'P-{at}'), e('text', filler), e('price', '9.90')) for at in range(240)]
    products = draw_products(random, 20, has_variants=True)
    items += [
        e('product', e('sku', one.sku), e('price', one.price), e('variants', list(map(variant, one.variants))))
        for one in products
    ]
    return xml_file(random, e('products', items), PATH, ['variants', 'variant'], style=Style(), is_ambiguous=True)
