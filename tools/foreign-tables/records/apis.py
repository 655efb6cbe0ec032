"""Answers of web services, by the conventions that many of them share."""
from records.catalogue import draw_categories, draw_products
from records.files import File, json_file, kind, lines_file, text_file, xml_file
from records.json_text import Number, Style as JsonStyle, dump, flatten, write_json
from records.truth import simple_table
from records.xml_tree import Style, e


def plain(product):
    return {'sku': product.sku, 'name': product.name, 'price': Number(product.price), 'qty': Number(product.qty)}


@kind
def odata_2(random):
    results = [
        {
            '__metadata': {'uri': f"https://api.example/Products('{product.id}')", 'type': 'Shop.Product'},
            **plain(product),
            'Category': {'__deferred': {'uri': f"https://api.example/Products('{product.id}')/Category"}},
        }
        for product in draw_products(random)
    ]
    return json_file(random, {'d': {'results': results, '__count': str(len(results))}}, ['d', 'results'])


@kind
def odata_4(random):
    value = [
        {
            '@odata.id': f'Products({product.id})',
            **plain(product),
            'Address': {'City': 'Berlin', 'Geo': {'Lat': Number('52.5200')}},
        }
        for product in draw_products(random)
    ]
    return json_file(
        random,
        {
            '@odata.context': '$metadata#Products',
            '@odata.count': Number(len(value)),
            'value': value,
            '@odata.nextLink': '?$skip=5',
        },
        ['value'],
    )


@kind
def odata_atom(random):
    """A feed whose products are in the properties of each entry."""
    entries = [
        e(
            'entry',
            e('id', f'https://api.example/Products({product.id})'),
            e('title', {'type': 'text'}),
            e('updated', product.updated),
            e('link', {'rel': 'edit', 'href': f'Products({product.id})'}),
            e(
                'category',
                {'term': 'Shop.Product', 'scheme': 'http://schemas.microsoft.com/ado/2007/08/dataservices/scheme'},
            ),
            e(
                'content',
                {'type': 'application/xml'},
                e(
                    'm:properties',
                    e('d:Sku', product.sku),
                    e('d:Stock', {'m:type': 'Edm.Int32'}, product.qty),
                    e('d:Note', {'m:null': 'true'}),
                ),
            ),
        )
        for product in draw_products(random)
    ]
    names = {
        'xmlns': 'http://www.w3.org/2005/Atom',
        'xmlns:d': 'http://schemas.microsoft.com/ado/2007/08/dataservices',
        'xmlns:m': 'http://schemas.microsoft.com/ado/2007/08/dataservices/metadata',
    }
    file = xml_file(
        random,
        e('feed', names, e('title', 'Products'), e('id', 'x'), e('updated', '2026-11-25T06:30:00Z'), entries),
        ['feed', 'entry'],
    )
    for column in file.tables[0].columns:
        column.is_optional |= column.attribute == 'm:null'
    return file


@kind
def json_api(random):
    """What is included is more than what was asked for."""
    products = draw_products(random, 4)
    data = [
        {
            'type': 'products',
            'id': product.id,
            'attributes': plain(product),
            'relationships': {'brand': {'data': {'type': 'brands', 'id': '1'}}},
            'links': {'self': f'/products/{product.id}'},
        }
        for product in products
    ]
    included = [
        {'type': 'categories', 'id': id, 'attributes': {'name': name}} for id, _, name in draw_categories(random, 9)
    ]
    value = {
        'jsonapi': {'version': '1.0'},
        'data': data,
        'included': included,
        'meta': {'total': Number(4)},
        'links': {'next': None},
    }
    return json_file(random, value, ['data'])


@kind
def hal(random):
    products = [
        {**plain(product), '_links': {'self': {'href': f'/products/{product.id}'}}}
        for product in draw_products(random)
    ]
    value = {
        '_embedded': {'products': products},
        '_links': {'self': {'href': '/products{?page}', 'templated': True}},
        'page': {'size': Number(20), 'number': Number(0)},
    }
    return json_file(random, value, ['_embedded', 'products'])


@kind
def graphql_nodes(random):
    nodes = [
        {'id': product.id, **plain(product), 'brand': {'name': product.brand}} for product in draw_products(random)
    ]
    return json_file(
        random,
        {'data': {'catalogue': {'products': {'totalCount': Number(len(nodes)), 'nodes': nodes}}}},
        ['data', 'catalogue', 'products', 'nodes'],
    )


@kind
def graphql_edges(random):
    edges = [{'node': {'id': product.id, **plain(product)}} for product in draw_products(random)]
    return json_file(
        random,
        {'data': {'products': {'edges': edges, 'pageInfo': {'endCursor': 'x', 'hasNextPage': False}}}},
        ['data', 'products', 'edges'],
    )


@kind
def json_ld_item_list(random):
    elements = [
        {
            '@type': 'ListItem',
            'position': Number(at),
            'item': {
                '@type': 'Product',
                'sku': product.sku,
                'name': product.name,
                'image': product.images,
                'offers': {'@type': 'Offer', 'price': product.price, 'priceCurrency': 'EUR'},
            },
        }
        for at, product in enumerate(draw_products(random), 1)
    ]
    return json_file(
        random,
        {'@context': 'https://schema.org', '@type': 'ItemList', 'itemListElement': elements},
        ['itemListElement'],
    )


@kind
def hydra_collection(random):
    members = [
        {'@id': f'/products/{product.id}', '@type': 'Product', **plain(product)} for product in draw_products(random)
    ]
    value = {
        '@context': '/contexts/Product',
        '@id': '/products',
        'hydra:member': members,
        'hydra:totalItems': Number(len(members)),
        'hydra:view': {'@id': '/products?page=1'},
    }
    return json_file(random, value, ['hydra:member'])


@kind
def map_by_sku(random):
    value = {
        product.sku: {'name': product.name, 'qty': Number(product.qty), 'price': Number(product.price)}
        for product in draw_products(random)
    }
    return json_file(random, value, is_map=True)


@kind
def map_by_sku_below_a_key(random):
    value = {
        product.sku: {'name': product.name, 'stock': {'total': Number(product.qty), 'reserved': Number(0)}}
        for product in draw_products(random)
    }
    return json_file(
        random, {'status': 'ok', 'generated': '2026-11-25', 'products': value}, ['products'], is_map=True
    )


@kind
def map_with_the_key_inside(random):
    """As Firebase exports: the records have a field with the name of the column of keys."""
    value = {
        f'-N{product.id}xYz': {'key': product.sku, 'name': product.name, 'qty': Number(product.qty)}
        for product in draw_products(random)
    }
    rows = [
        {'@key': key, 'key': row['key'], 'name': row['name'], 'qty': str(row['qty'])} for key, row in value.items()
    ]
    return File(
        write_json({'products': value}),
        'json',
        [simple_table(rows, optional=['@key'])],
        is_ambiguous=True,
        is_checked=False,
    )


@kind
def map_of_numbers(random):
    """A stock for each article, without a record."""
    products = draw_products(random, 12)
    value = {product.sku: Number(product.qty) for product in products}
    table = simple_table([{'key': key, 'value': str(cell)} for key, cell in value.items()])
    return File(write_json(value, JsonStyle(indent='  ')), 'json', [table], is_ambiguous=True, is_checked=False)


@kind
def map_of_variants(random):
    """Maps in maps: the colours and sizes of each article by their names."""
    products = draw_products(random, 4, has_variants=True)
    value = {
        product.sku: {
            'name': product.name,
            'sizes': {one.size: {'qty': Number(one.qty), 'price': Number(one.price)} for one in product.variants},
        }
        for product in products
    }
    return json_file(random, value, is_map=True, is_ambiguous=True)


@kind
def one_product(random):
    value = plain(draw_products(random, 1)[0])
    return json_file(random, value, is_ambiguous=True)


@kind
def one_product_in_a_list(random):
    return json_file(random, {'products': [plain(draw_products(random, 1)[0])]}, ['products'])


@kind
def one_product_with_variants(random):
    product = draw_products(random, 1, has_variants=True)[0]
    variants = [
        {'sku': one.sku, 'size': one.size, 'qty': Number(one.qty), 'price': Number(one.price)}
        for one in product.variants
    ]
    return json_file(
        random,
        {'product': {'id': Number(product.id), 'title': product.name, 'variants': variants}},
        ['product'],
        ['variants'],
    )


@kind
def pages_one_after_the_other(random):
    """The answers for two pages in one file."""
    products = draw_products(random, 8)
    pages = [
        {'page': Number(at + 1), 'total': Number(8), 'items': list(map(plain, products[at * 4 : at * 4 + 4]))}
        for at in (0, 1)
    ]
    text = '\n'.join(map(dump, pages)) + '\n'
    table = flatten({'items': list(map(plain, products))}, ['items'])
    for name in ('page', 'total'):
        index = table.column(name, is_optional=True)
        for row in table.rows:
            row[index] = None
    return text_file(text, 'json', [table], is_checked=False)


@kind
def pages_in_an_array(random):
    products = draw_products(random, 8)
    pages = [{'items': list(map(plain, products[at * 4 : at * 4 + 4]))} for at in (0, 1)]
    return json_file(random, pages, ['items'])


@kind
def two_lists(random):
    """Orders are more and come first, but the products are what is wanted."""
    products = list(map(plain, draw_products(random, 5)))
    orders = [{'order': Number(at), 'customer': f'C-{at % 3}', 'total': Number(f'{at}9.90')} for at in range(1, 12)]
    return json_file(random, {'orders': orders, 'products': products}, ['products'], is_ambiguous=True)


@kind
def stock_and_prices_apart(random):
    """Two tables that belong together: neither is all."""
    products = draw_products(random)
    stock = [{'sku': product.sku, 'qty': Number(product.qty), 'warehouse': 'BER'} for product in products]
    prices = [{'sku': product.sku, 'price': Number(product.price), 'currency': 'EUR'} for product in products]
    file = json_file(random, {'stock': stock, 'prices': prices}, ['stock'], is_ambiguous=True)
    file.tables.append(flatten({'prices': prices}, ['prices']))
    return file


@kind
def groups_of_products(random):
    """The name of each group stands above its products."""
    products = draw_products(random, 6)
    groups = [
        {'category': name, 'products': list(map(plain, products[at : at + 3]))}
        for at, name in ((0, 'Shoes'), (3, 'Hats'))
    ]
    value = {'groups': groups}
    file = json_file(random, value, ['groups'], ['products'])
    file.tables.append(flatten(value, ['groups', 'products']))
    return file


@kind
def nested_deeply(random):
    items = [
        {
            'info': {'ids': {'sku': product.sku, 'gtin': {'value': product.ean}}},
            'stock': {'now': {'qty': Number(product.qty)}},
        }
        for product in draw_products(random)
    ]
    return json_file(
        random, {'a': {'b': {'c': {'d': [{'meta': None}, {'items': items}]}}}}, ['a', 'b', 'c', 'd', 'items']
    )


@kind
def json_in_a_call(random):
    """For a script of another site; this is a program, not JSON."""
    values = list(map(plain, draw_products(random)))
    return text_file(f'/**/callback({dump(values)});', 'json', [flatten(values)], is_ambiguous=True, is_checked=False)


@kind
def json_behind_a_guard(random):
    values = list(map(plain, draw_products(random)))
    return text_file(")]}',\n" + dump(values), 'json', [flatten(values)], is_ambiguous=True, is_checked=False)


@kind
def json_sequence(random):
    """A record separator before each text (RFC 7464)."""
    values = list(map(plain, draw_products(random)))
    text = ''.join(f'\x1e{dump(value)}\n' for value in values)
    return text_file(text, 'json', [flatten(values)], is_ambiguous=True, is_checked=False)


@kind
def json_text_in_json(random):
    """As some clouds answer: the body is a text."""
    values = list(map(plain, draw_products(random)))
    return text_file(dump({'statusCode': Number(200), 'body': dump(values)}), 'json', is_checked=False)


@kind
def stock_movements(random):
    """Several lines of one article."""
    values = [
        {'ts': f'2026-11-25T06:30:{at:02}Z', 'sku': product.sku, 'delta': Number(f'-{at}'), 'user': 'anna'}
        for at, product in enumerate(draw_products(random) * 2)
    ]
    return lines_file(values)


@kind
def rest_xml_with_links(random):
    products = [
        e(
            'product',
            {'href': f'https://api.example/products/{product.id}'},
            e('sku', product.sku),
            e('stock', e('available', product.qty), e('reserved', '0')),
            e('price', e('amount', product.price), e('currency', 'EUR')),
        )
        for product in draw_products(random)
    ]
    links = [
        e('link', {'rel': rel, 'href': f'https://api.example/products?page={at}'})
        for at, rel in enumerate(('self', 'next', 'last', 'first'))
    ]
    return xml_file(
        random,
        e(
            'response',
            {'status': 'ok'},
            e('links', links),
            e('paging', e('page', '1'), e('pages', '1')),
            e('products', {'count': str(len(products))}, products),
        ),
        ['response', 'products', 'product'],
    )


@kind
def data_contract_serializer(random):
    products = [
        e(
            'Product',
            e('Active', 'true'),
            e('Ean', {'i:nil': 'true'}),
            e('Name', product.name),
            e('Qty', product.qty),
            e('Sku', product.sku),
            e(
                'Tags',
                {'xmlns:d3p1': 'http://schemas.microsoft.com/2003/10/Serialization/Arrays'},
                e('d3p1:string', 'new'),
                e('d3p1:string', 'sale'),
            ),
        )
        for product in draw_products(random)
    ]
    root = e(
        'ArrayOfProduct',
        {
            'xmlns:i': 'http://www.w3.org/2001/XMLSchema-instance',
            'xmlns': 'http://schemas.datacontract.org/2004/07/Shop',
        },
        products,
    )
    file = xml_file(random, root, ['ArrayOfProduct', 'Product'], style=Style(declared=None, indent=None))
    for column in file.tables[0].columns:
        column.is_optional |= column.attribute == 'i:nil'
    return file


@kind
def json_made_to_xml(random):
    """As PHP makes XML of lists: the names of elements are numbers."""
    products = draw_products(random)
    items = [e(f'item{at}', e('sku', product.sku), e('qty', product.qty)) for at, product in enumerate(products)]
    table = simple_table([{'sku': product.sku, 'qty': product.qty} for product in products])
    file = xml_file(random, e('response', items), ['response', 'item0'])
    return File(file.data, 'xml', [table], is_ambiguous=True, is_checked=False)
