"""First set, JSON: answers of shops, ERP systems and search services."""
from model import *

N = Raw


def opts(r):
    return {'indent': r.choice([None, 2, 4]), 'ascii_only': r.random() < 0.4}


def flat(p, num=True):
    return {'sku': p.sku, 'title': p.title, 'qty': N(p.qty) if num else p.qty, 'price': N(p.price) if num else p.price, 'gtin': p.gtin, 'category': p.cat}


FIELDS = ('sku', 'title', 'qty', 'price', 'gtin', 'cat')


def plain(r, n):
    ps = products(r, n)
    return doc('json', 'plain-array', js([flat(p) for p in ps], **opts(r)), n, col(ps, *FIELDS))


def shopify(r, n):
    ps = products(r, n, 1, 5)
    items = [{'id': N(p.id), 'title': p.title, 'handle': f'p-{p.n}', 'body_html': f'<p>{p.n}</p>', 'vendor': p.brand, 'product_type': p.cat, 'tags': p.tags,
              'variants': [{'id': N(v.id), 'title': v.size, 'option1': v.size, 'option2': v.colour, 'option3': None, 'sku': v.sku, 'requires_shipping': True, 'available': k % 2 == 0, 'price': v.price, 'grams': 250, 'compare_at_price': None, 'barcode': v.gtin, 'inventory_quantity': N(v.qty)} for k, v in enumerate(p.variants)],
              'images': [{'id': 700 + k, 'src': f'https://cdn.example/{k}.jpg', 'width': 10} for k in range(9)],
              'options': [{'name': 'Size', 'position': 1, 'values': [v.size for v in p.variants]}, {'name': 'Colour', 'position': 2, 'values': [v.colour for v in p.variants]}]} for p in ps]
    return doc('json', 'shopify-products', js({'products': items}, **opts(r)), len(pairs(ps)), {**vcol(ps, ['id', 'sku', 'size', 'colour', 'price', 'gtin', 'qty'], ['id', 'title', 'brand', 'cat']), 'tags': [p.tags for p, _ in pairs(ps)]})


def shopify_graphql(r, n):
    ps = products(r, n, 1, 3)
    e = [{'cursor': 'abc', 'node': {'id': f'gid://shopify/Product/{p.id}', 'title': p.title, 'variants': {'edges': [{'node': {'sku': v.sku, 'price': v.price, 'barcode': v.gtin, 'inventoryQuantity': N(v.qty)}} for v in p.variants]}}} for p in ps]
    return doc('json', 'graphql-edges-variants', js({'data': {'products': {'edges': e, 'pageInfo': {'hasNextPage': False}}}, 'extensions': {'cost': {'requestedQueryCost': 22}}}, **opts(r)), len(pairs(ps)), vcol(ps, ['sku', 'price', 'gtin', 'qty'], ['title']))


def graphql_nodes(r, n):
    ps = products(r, n)
    e = [{'node': {'sku': p.sku, 'title': p.title, 'price': {'amount': p.price, 'currencyCode': 'EUR'}, 'tags': p.tags}} for p in ps]
    return doc('json', 'graphql-edges', js({'data': {'catalog': {'products': {'totalCount': n, 'edges': e}}}}, **opts(r)), n, {**col(ps, 'sku', 'title', 'price'), 'tags': [p.tags for p in ps]})


def woocommerce(r, n):
    ps = products(r, n)
    items = [{'id': N(p.id), 'name': p.title, 'sku': p.sku, 'price': p.price, 'regular_price': p.price, 'sale_price': '', 'on_sale': False, 'stock_quantity': N(p.qty) if p.n % 3 else None, 'global_unique_id': p.gtin,
              'categories': [{'id': 9, 'name': 'Clothing', 'slug': 'c'}, {'id': 14, 'name': p.cat, 'slug': 't'}], 'images': [{'id': k, 'src': f'https://i.example/{k}.jpg'} for k in range(3)],
              'attributes': [{'id': 6, 'name': 'Color', 'options': ['Black', 'Green']}], 'variations': [], 'meta_data': [{'id': 1, 'key': '_k', 'value': 'x'}, {'id': 2, 'key': '_l', 'value': {'a': 1}}], '_links': {'self': [{'href': 'https://s.example/1'}]}} for p in ps]
    return doc('json', 'woocommerce', js(items, **opts(r)), n, {**col(ps, 'id', 'title', 'sku', 'price', 'gtin'), 'qty': [p.qty if p.n % 3 else '' for p in ps], 'cat': [{'has': [p.cat]} for p in ps]})


def bigcommerce(r, n):
    ps = products(r, n, 1, 3)
    items = [{'id': N(p.id), 'name': p.title, 'sku': p.sku, 'price': N(p.price), 'categories': [23, 21], 'inventory_level': N(p.qty), 'variants': [{'id': N(v.id), 'product_id': N(p.id), 'sku': v.sku, 'price': N(v.price), 'upc': v.gtin, 'inventory_level': N(v.qty), 'option_values': [{'label': v.size, 'option_display_name': 'Size'}]} for v in p.variants]} for p in ps]
    return doc('json', 'bigcommerce', js({'data': items, 'meta': {'pagination': {'total': n, 'count': n, 'links': {'current': '?page=1'}}}}, **opts(r)), len(pairs(ps)),
               {**vcol(ps, ['sku', 'price', 'gtin', 'qty'], ['id', 'title', 'sku', 'price', 'qty'])})


def magento(r, n):
    ps = products(r, n)
    items = [{'id': N(p.id), 'sku': p.sku, 'name': p.title, 'attribute_set_id': 4, 'price': N(p.price), 'status': 1, 'extension_attributes': {'website_ids': [1], 'category_links': [{'position': 0, 'category_id': '11'}, {'position': 1, 'category_id': '12'}]}, 'product_links': [], 'media_gallery_entries': [{'id': k, 'file': f'/{k}.jpg', 'types': ['image']} for k in range(4)],
              'custom_attributes': [{'attribute_code': 'ean', 'value': p.gtin}, {'attribute_code': 'category_ids', 'value': ['11', '12']}, {'attribute_code': 'brand', 'value': p.brand}]} for p in ps]
    return doc('json', 'magento-rest', js({'items': items, 'search_criteria': {'filter_groups': [{'filters': [{'field': 'a', 'value': 'b'}]}], 'page_size': 100}, 'total_count': n}, **opts(r)), n, {**col(ps, 'id', 'sku', 'title', 'price'), 'gtin': [{'has': [p.gtin]} for p in ps]})


def akeneo(r, n):
    ps = products(r, n)
    items = [{'_links': {'self': {'href': 'x'}}, 'identifier': p.sku, 'enabled': p.live == 'true', 'family': 'f', 'categories': ['a', p.cat], 'values': {'name': [{'locale': 'en_US', 'scope': None, 'data': p.title}], 'ean': [{'locale': None, 'scope': None, 'data': p.gtin}], 'price': [{'locale': None, 'scope': None, 'data': [{'amount': p.price, 'currency': 'EUR'}]}]}} for p in ps]
    return doc('json', 'akeneo', js({'_links': {'self': {'href': 'y'}}, 'current_page': 1, '_embedded': {'items': items}}, **opts(r)), n, {**col(ps, 'sku', 'live'), 'title': [{'has': [p.title.replace('"', '\\"')]} for p in ps], 'gtin': [{'has': [p.gtin]} for p in ps], 'price': [{'has': [p.price]} for p in ps]})


def odata(r, n):
    ps = products(r, n)
    items = [{'@odata.etag': 'W/"JzQ0O"', 'id': f'5d115c9c-44e3-ea11-bb43-{p.n:012d}', 'number': p.sku, 'displayName': p.title, 'inventory': N(p.qty), 'unitPrice': N(p.price), 'gtin': p.gtin, 'blocked': False, 'lastModifiedDateTime': '2026-01-15T02:21:52.877Z'} for p in ps]
    return doc('json', 'business-central-odata', b'\xef\xbb\xbf' + js({'@odata.context': 'https://api.example/$metadata#items', 'value': items, '@odata.nextLink': 'https://n.example'}, **opts(r)).encode(), n, {**col(ps, 'sku', 'title', 'qty', 'price', 'gtin'), 'blocked': ['false'] * n})


def odata_v2(r, n):
    ps = products(r, n)
    items = [{'__metadata': {'id': f"https://s.example/A_Product('{p.sku}')", 'uri': 'u', 'type': 'T'}, 'Product': p.sku, 'NetWeight': p.weight, 'CreationDate': '/Date(1492041600000)/', 'to_Description': {'results': [{'Language': 'EN', 'ProductDescription': p.title}, {'Language': 'DE', 'ProductDescription': 'DE ' + p.title}]}, 'to_Plant': {'__deferred': {'uri': 'x'}}} for p in ps]
    return doc('json', 'sap-odata-v2', js({'d': {'__count': str(n), 'results': items}}, **opts(r)), n, {**col(ps, 'sku', 'weight'), 'title': [{'has': [p.title.replace('"', '\\"')]} for p in ps]})


def odoo(r, n):
    ps = products(r, n)
    items = [{'id': N(p.id), 'default_code': p.sku, 'name': p.title, 'qty_available': N(p.qty + '.0'), 'list_price': N(p.price), 'categ_id': [4, p.cat], 'barcode': p.gtin if p.n % 2 else False, 'product_tag_ids': [1, 2]} for p in ps]
    return doc('json', 'odoo-jsonrpc', js({'jsonrpc': '2.0', 'id': 17, 'result': items}, **opts(r)), n, {**col(ps, 'id', 'sku', 'title', 'price'), 'qty': [p.qty + '.0' for p in ps], 'cat': [['4', p.cat] for p in ps], 'gtin': [p.gtin if p.n % 2 else 'false' for p in ps]})


def algolia(r, n):
    ps = products(r, n)
    items = [{'objectID': p.sku, 'name': p.title, 'price': N(p.price), 'categories': [p.cat, 'All'], 'hierarchicalCategories': {'lvl0': 'A', 'lvl1': 'A > ' + p.cat}, '_tags': p.tags, '_highlightResult': {'name': {'value': f'<em>{p.n}</em>', 'matchLevel': 'none', 'matchedWords': []}, 'categories': [{'value': p.cat, 'matchLevel': 'none', 'matchedWords': []}]}} for p in ps]
    return doc('json', 'algolia-hits', js({'hits': items, 'nbHits': n, 'facets': {'brand': {'Acme': 3}}, 'processingTimeMS': 1}, **opts(r)), n, {**col(ps, 'sku', 'title', 'price'), 'tags': [p.tags for p in ps], 'cats': [[p.cat, 'All'] for p in ps], 'lvl1': ['A > ' + p.cat for p in ps]})


def elastic(r, n):
    ps = products(r, n)
    hits = [{'_index': 'p', '_id': p.id, '_score': N('1.0'), '_source': flat(p)} for p in ps]
    return doc('json', 'elasticsearch', js({'took': 2, 'timed_out': False, '_shards': {'total': 1}, 'hits': {'total': {'value': n, 'relation': 'eq'}, 'hits': hits}, 'aggregations': {'b': {'buckets': [{'key': f'k{k}', 'doc_count': 1} for k in range(n + 3)]}}}, **opts(r)), n, col(ps, 'id', *FIELDS))


def jsonapi(r, n):
    ps = products(r, n)
    data = [{'type': 'products', 'id': p.id, 'attributes': flat(p), 'relationships': {'images': {'data': [{'type': 'images', 'id': f'{p.id}-{k}'} for k in range(3)]}}} for p in ps]
    inc = [{'type': 'images', 'id': f'{p.id}-{k}', 'attributes': {'url': 'u'}} for p in ps for k in range(3)]
    return doc('json', 'json-api', js({'data': data, 'included': inc, 'links': {'self': 'x'}}, **opts(r)), n, col(ps, 'id', *FIELDS))


def airtable(r, n):
    ps = products(r, n)
    return doc('json', 'airtable', js({'records': [{'id': f'rec{p.id}', 'createdTime': '2026-01-01T00:00:00.000Z', 'fields': {k: v for k, v in flat(p).items() if not (k == 'qty' and p.n % 4 == 0)}} for p in ps], 'offset': 'itr/rec'}, **opts(r)), n, {**col(ps, 'sku', 'title', 'price', 'gtin'), 'qty': ['' if p.n % 4 == 0 else p.qty for p in ps]})


def firestore(r, n):
    ps = products(r, n)
    d = [{'name': f'projects/p/databases/(default)/documents/items/{p.id}', 'fields': {'sku': {'stringValue': p.sku}, 'title': {'stringValue': p.title}, 'qty': {'integerValue': p.qty}, 'price': {'doubleValue': N(p.price)}, 'tags': {'arrayValue': {'values': [{'stringValue': t} for t in p.tags]}}}, 'createTime': 'x'} for p in ps]
    return doc('json', 'firestore', js({'documents': d}, **opts(r)), n, col(ps, 'sku', 'title', 'qty', 'price'))


def mongo(r, n):
    ps = products(r, n)
    d = [{'_id': {'$oid': f'{p.n:024x}'}, 'sku': p.sku, 'title': p.title, 'qty': {'$numberInt': p.qty}, 'price': {'$numberDecimal': p.price}, 'gtin': {'$numberLong': '1' + p.gtin}, 'at': {'$date': {'$numberLong': '1735689600000'}}} for p in ps]
    return doc('json', 'mongo-canonical', js(d, **opts(r)), n, {**col(ps, 'sku', 'title', 'qty', 'price'), 'gtin': ['1' + p.gtin for p in ps]})


def keyed(r, n, wrapped):
    ps = products(r, n)
    body = {p.sku: {'title': p.title, 'qty': N(p.qty), 'price': N(p.price)} for p in ps}
    return doc('json', 'keyed-by-sku' + ('-wrapped' if wrapped else ''), js({'status': 'ok', 'products': body} if wrapped else body, **opts(r)), n, col(ps, 'sku', 'title', 'qty', 'price'))


def arrays(r, n, how):
    ps = products(r, n)
    names = ['sku', 'title', 'qty', 'price']
    rows = [[p.sku, p.title, N(p.qty), N(p.price)] for p in ps]
    if how == 'header':
        v = [names, *rows]
    elif how == 'split':
        v = {'columns': names, 'index': list(range(n)), 'data': rows}
    elif how == 'range':
        v = {'range': "'Sheet1'!A1:D200", 'majorDimension': 'ROWS', 'values': [names, *rows]}
    else:
        v = {'sku': [p.sku for p in ps], 'title': [p.title for p in ps], 'qty': [N(p.qty) for p in ps], 'price': [N(p.price) for p in ps]}
    return doc('json', 'arrays-' + how, js(v, **opts(r)), n, col(ps, *names))


def numbers(r, n):
    """Numbers as they are written: long integers, exponents, zeros at the end, minus zero."""
    ps = products(r, n)
    big = [N('9007199254740993' + str(p.n)) for p in ps]
    exp = [N(r.choice(['1e3', '1.50E+2', '-0', '0.10', '-12.500', '1E-7', '100.0', '12345678901234567890.12345'])) for p in ps]
    items = [{'sku': p.sku, 'ref': b, 'value': e, 'flag': r.choice([True, False]), 'none': None, 'zero': '007'} for p, b, e in zip(ps, big, exp)]
    return doc('json', 'numbers-as-written', js(items, **opts(r)), n, {**col(ps, 'sku'), 'ref': big, 'value': exp, 'flag': ['true' if i['flag'] else 'false' for i in items], 'zero': ['007'] * n})


def escapes(r, n):
    ps = products(r, n)
    for p in ps:
        p.title = f'Tab\there “{p.n}” 😀 \\ / 北'
    text = js([flat(p) for p in ps], ascii_only=True).replace('/', '\\/')
    return doc('json', 'escaped-unicode', text, n, col(ps, *FIELDS))


def utf16(r, n, enc, bom):
    ps = products(r, n)
    return doc('json', f'encoded-{enc}', bom + js([flat(p) for p in ps], indent=2).encode(enc), n, col(ps, *FIELDS), **({'mayRefuse': True} if enc == 'cp1252' else {}))


def cp1252(r, n):
    ps = products(r, n)
    for p in ps:
        p.title, p.cat = f'Größe {p.n} é', 'Büro'
    return doc('json', 'encoded-cp1252', js([flat(p) for p in ps]).encode('cp1252'), n, col(ps, *FIELDS))


def deep(r, n):
    ps = products(r, n)
    items = [{'a': {'b': {'c': {'d': {'sku': p.sku, 'e': {'price': {'gross': N(p.price), 'net': N(p.cost)}}}}}}, 'title': p.title} for p in ps]
    return doc('json', 'deep', js({'response': {'body': {'payload': {'result': {'list': items}}}}}, **opts(r)), n, col(ps, 'sku', 'price', 'cost', 'title'))


def one(r, how):
    p = Product(r, 1)
    v = {'bare': flat(p), 'array': [flat(p)], 'wrapped': {'products': [flat(p)], 'total': 1}}[how]
    return doc('json', 'one-record-' + how, js(v, indent=2), 1, col([p], *FIELDS))


def two_lists(r, n):
    """More warehouses than products; products have more fields."""
    ps = products(r, n)
    v = {'warehouses': [{'id': k, 'name': f'W{k}'} for k in range(n + 8)], 'products': [flat(p) for p in ps], 'errors': []}
    return doc('json', 'two-lists', js(v, **opts(r)), n, col(ps, *FIELDS))


def empty_first(r, n):
    """First records lack the variants; empty arrays; null for an object."""
    ps = [Product(r, i, 0 if i < 3 else i % 3) for i in range(n)]
    items = [{'code': p.sku, 'name': p.title, 'brand': None if p.n % 2 else {'name': p.brand}, 'variants': [{'sku': v.sku, 'stock': N(v.qty), 'ean': v.gtin} for v in p.variants] if p.n else None} for p in ps]
    return doc('json', 'empty-variants-first', js({'items': items}, **opts(r)), len(pairs(ps)), {**vcol(ps, ['sku', 'qty', 'gtin'], ['sku', 'title']), 'brand': ['' if p.n % 2 else p.brand for p, _ in pairs(ps)]})


def mixed_types(r, n):
    """A field that is a text, a number, an object or an array from record to record."""
    ps = products(r, n)
    items = [{'sku': p.sku, 'stock': [N(p.qty), p.qty, None][p.n % 3], 'price': N(p.price)} for p in ps]
    return doc('json', 'mixed-types', js(items, **opts(r)), n, {**col(ps, 'sku', 'price'), 'qty': ['' if p.n % 3 == 2 else p.qty for p in ps]})


def same_path(r, n):
    """A key with a dot beside a nested object."""
    ps = products(r, n)
    items = [{'sku': p.sku, 'price.amount': N(p.price), 'price': {'amount': N(p.cost)}} for p in ps]
    return doc('json', 'dot-in-key', js(items, **opts(r)), n, col(ps, 'sku', 'price', 'cost'))


def dup_keys(r, n):
    ps = products(r, n)
    items = [Pairs([('sku', p.sku), ('price', N(p.price)), ('price', N(p.cost))]) for p in ps]
    return doc('json', 'duplicate-keys', js(items), n, {**col(ps, 'sku'), 'price': [{'has': [p.cost]} for p in ps]}, mustTell=True)


def pim_tree(r, n):
    """Three levels: categories, products, variants. Rows are the variants."""
    ps = products(r, n, 1, 3)
    cats = [{'category': f'C{k}', 'products': [{'code': p.sku, 'name': p.title, 'variants': [{'ean': v.gtin, 'qty': N(v.qty), 'size': v.size} for v in p.variants]} for p in ps[k * 5:k * 5 + 5]]} for k in range((n + 4) // 5)]
    return doc('json', 'category-product-variant', js({'catalog': cats}, **opts(r)), len(pairs(ps)), {**vcol(ps, ['gtin', 'qty', 'size'], ['sku', 'title']), 'cat': [f'C{p.n // 5}' for p, _ in pairs(ps)]})


def prices_array(r, n):
    """Prices by market and stock by warehouse: arrays of objects that are no variants."""
    ps = products(r, n)
    items = [{'sku': p.sku, 'title': p.title, 'prices': [{'currency': 'EUR', 'amount': N(p.price)}, {'currency': 'USD', 'amount': N(p.cost)}], 'images': ['a.jpg', 'b.jpg'], 'dims': {'w': N(p.weight), 'unit': 'kg'}} for p in ps]
    return doc('json', 'prices-by-currency', js({'count': n, 'items': items}, **opts(r)), n, {**col(ps, 'sku', 'title', 'weight'), 'price': [{'has': [p.price]} for p in ps], 'images': [['a.jpg', 'b.jpg'] for _ in ps]}, orRows=2)


def broken(r, how):
    ps = products(r, 12)
    text = js([flat(p) for p in ps], indent=2)
    if how == 'cut':
        text = text[: len(text) * 2 // 3]
    if how == 'trailing-comma':
        text = text[:-2] + ',\n]'
    if how == 'nan':
        text = text.replace('"qty": ' + ps[3].qty, '"qty": NaN')
    if how == 'junk':
        text += ' <br /><b>Warning</b>: headers already sent'
    if how == 'jsonp':
        text = f'callback({text});'
    if how == 'single-quotes':
        text = text.replace('"', "'")
    return doc('json', 'broken-' + how, text, 12, col(ps, *FIELDS), mustRefuse=how not in ('nan', 'trailing-comma', 'jsonp'), mayRefuse=True)
