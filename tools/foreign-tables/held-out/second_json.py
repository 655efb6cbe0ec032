"""Second set, JSON: other services and databases than in the first one."""
from model import *

N = Raw


def out(name, v, rows, fields, **more):
    return doc('json', name, js(v, indent=more.pop('indent', 2)), rows, fields, **more)


def square(r, n):
    ps = products(r, n, 1, 3)
    objs = [{'type': 'ITEM', 'id': p.id, 'is_deleted': False, 'item_data': {'name': p.title, 'variations': [{'type': 'ITEM_VARIATION', 'id': v.id, 'item_variation_data': {'item_id': p.id, 'sku': v.sku, 'upc': v.gtin, 'name': v.size, 'price_money': {'amount': N(v.qty), 'currency': 'EUR'}}} for v in p.variants]}} for p in ps]
    return out('square-catalog', {'objects': objs}, len(pairs(ps)), vcol(ps, ['id', 'sku', 'gtin', 'size', 'qty'], ['id', 'title']))


def squarespace(r, n):
    ps = products(r, n, 1, 3)
    v = {'products': [{'id': p.id, 'type': 'PHYSICAL', 'name': p.title, 'tags': p.tags, 'variants': [{'id': x.id, 'sku': x.sku, 'pricing': {'basePrice': {'currency': 'EUR', 'value': x.price}, 'onSale': False}, 'stock': {'quantity': N(x.qty), 'unlimited': False}, 'attributes': {'Size': x.size, 'Colour': x.colour}} for x in p.variants], 'images': []} for p in ps], 'pagination': {'hasNextPage': False, 'nextPageCursor': None}}
    return out('squarespace', v, len(pairs(ps)), {**vcol(ps, ['id', 'sku', 'price', 'qty', 'size', 'colour'], ['id', 'title']), 'tags': [p.tags for p, _ in pairs(ps)]})


def ecwid(r, n):
    ps = [Product(r, i, [2, 0, 3][i % 3]) for i in range(n)]
    v = {'total': n, 'count': n, 'offset': 0, 'limit': 100, 'items': [{'id': N(p.id), 'sku': p.sku, 'quantity': N(p.qty), 'unlimited': False, 'name': p.title, 'price': N(p.price), 'combinations': [{'id': N(x.id), 'combinationNumber': k + 1, 'options': [{'name': 'Size', 'value': x.size}], 'sku': x.sku, 'quantity': N(x.qty)} for k, x in enumerate(p.variants)]} for p in ps]}
    return out('ecwid', v, len(pairs(ps)), vcol(ps, ['sku', 'qty'], ['id', 'sku', 'title', 'price', 'qty']))


def medusa(r, n):
    ps = products(r, n, 1, 3)
    v = {'products': [{'id': 'prod_' + p.id, 'title': p.title, 'status': 'published', 'collection': None, 'options': [{'id': 'opt', 'title': 'Size', 'values': [{'id': k, 'value': x.size} for k, x in enumerate(p.variants)]}], 'variants': [{'id': 'v_' + x.id, 'title': x.size, 'sku': x.sku, 'barcode': x.gtin, 'inventory_quantity': N(x.qty), 'prices': [{'currency_code': 'eur', 'amount': N(x.price)}, {'currency_code': 'usd', 'amount': 1}]} for x in p.variants]} for p in ps], 'count': n, 'offset': 0, 'limit': n + 1}
    return out('medusa', v, len(pairs(ps)), {**vcol(ps, ['sku', 'gtin', 'qty', 'size'], ['title']), 'price': [{'has': [x.price]} for _, x in pairs(ps)]})


def hydra(r, n):
    ps = products(r, n)
    m = [{'@id': f'/api/products/{p.id}', '@type': 'Product', 'code': p.sku, 'name': p.title, 'channelPricings': {'EU': {'price': N(p.price)}}, 'onHand': N(p.qty)} for p in ps]
    return out('hydra', {'@context': '/api/contexts/Product', '@id': '/api/products', '@type': 'hydra:Collection', 'hydra:member': m, 'hydra:totalItems': n, 'hydra:search': {'hydra:mapping': [{'variable': f'v{k}', 'property': f'p{k}', 'required': False} for k in range(n + 5)]}}, n, col(ps, 'sku', 'title', 'price', 'qty'))


def commercetools(r, n):
    ps = products(r, n)
    def var(p):
        return {'id': 1, 'sku': p.sku, 'prices': [{'value': {'type': 'centPrecision', 'currencyCode': 'EUR', 'centAmount': N(p.qty)}}], 'attributes': [{'name': 'ean', 'value': p.gtin}]}
    v = {'limit': 500, 'offset': 0, 'count': n, 'total': n, 'results': [{'id': p.id, 'version': 3, 'masterData': {'current': {'name': {'en': p.title, 'de': 'DE ' + p.title}, 'categories': [{'typeId': 'category', 'id': 'c'}], 'masterVariant': var(p), 'variants': []}, 'published': True}} for p in ps]}
    return out('commercetools', v, n, {**col(ps, 'id', 'sku', 'title'), 'gtin': [{'has': [p.gtin]} for p in ps], 'de': ['DE ' + p.title for p in ps]})


def contentful(r, n):
    ps = products(r, n)
    v = {'sys': {'type': 'Array'}, 'total': n, 'skip': 0, 'limit': 100, 'items': [{'sys': {'id': p.id, 'type': 'Entry'}, 'fields': {'sku': {'en-US': p.sku}, 'title': {'en-US': p.title, 'de': 'DE'}, 'quantity': {'en-US': N(p.qty)}, 'price': {'en-US': N(p.price)}}} for p in ps]}
    return out('contentful', v, n, col(ps, 'id', 'sku', 'title', 'qty', 'price'))


def salesforce(r, n):
    ps = products(r, n)
    v = {'totalSize': n, 'done': True, 'records': [{'attributes': {'type': 'Product2', 'url': f'/x/{p.id}'}, 'Id': '01t' + p.id, 'ProductCode': p.sku, 'Name': p.title, 'IsActive': p.live == 'true', 'PricebookEntries': {'totalSize': 1, 'done': True, 'records': [{'attributes': {'type': 'PricebookEntry'}, 'UnitPrice': N(p.price)}]}} for p in ps]}
    return out('salesforce', v, n, {**col(ps, 'sku', 'title', 'live'), 'price': [{'has': [p.price]} for p in ps]})


def quickbooks(r, n):
    ps = products(r, n)
    v = {'QueryResponse': {'Item': [{'Name': p.title, 'Sku': p.sku, 'Active': True, 'UnitPrice': N(p.price), 'QtyOnHand': N(p.qty), 'IncomeAccountRef': {'value': '79', 'name': 'Sales'}, 'domain': 'QBO', 'Id': p.id, 'MetaData': {'CreateTime': '2026-01-01T00:00:00-08:00'}} for p in ps], 'startPosition': 1, 'maxResults': n + 1}, 'time': '2026-01-01T00:00:00-08:00'}
    return out('quickbooks-online', v, n, col(ps, 'id', 'sku', 'title', 'price', 'qty'))


def zoho(r, n):
    ps = products(r, n)
    v = {'code': 0, 'message': 'success', 'items': [{'item_id': N('4609870000000' + p.id), 'name': p.title, 'sku': p.sku, 'rate': N(p.price), 'ean': p.gtin, 'stock_on_hand': N(p.qty), 'warehouses': [{'warehouse_id': k, 'warehouse_name': f'W{k}', 'warehouse_stock_on_hand': N(p.qty)} for k in range(2)]} for p in ps], 'page_context': {'page': 1, 'per_page': 200, 'has_more_page': False}}
    return out('zoho', v, n, {**col(ps, 'sku', 'title', 'price', 'gtin', 'qty'), 'id': ['4609870000000' + p.id for p in ps]})


def couch(r, n):
    ps = products(r, n)
    v = {'total_rows': n, 'offset': 0, 'rows': [{'id': p.id, 'key': p.id, 'value': {'rev': '1-a'}, 'doc': {'_id': p.id, '_rev': '1-a', 'sku': p.sku, 'name': p.title, 'qty': N(p.qty), 'price': N(p.price)}} for p in ps]}
    return out('couchdb', v, n, col(ps, 'id', 'sku', 'title', 'qty', 'price'))


def phpmyadmin(r, n):
    ps = products(r, n)
    v = [{'type': 'header', 'version': '5.2.1', 'comment': 'Export to JSON plugin for PHPMyAdmin'}, {'type': 'database', 'name': 'shop'}, {'type': 'table', 'name': 'items', 'database': 'shop', 'data': [{'id': p.id, 'sku': p.sku, 'title': p.title, 'price': p.price} for p in ps]}]
    return out('phpmyadmin-json', v, n, col(ps, 'id', 'sku', 'title', 'price'), mayTell=True)


def dbeaver(r, n):
    ps = products(r, n)
    return out('dbeaver', {'select sku, title, qty from items\nlimit 200': [{'sku': p.sku, 'title': p.title, 'qty': N(p.qty)} for p in ps]}, n, col(ps, 'sku', 'title', 'qty'))


def sqldeveloper(r, n):
    ps = products(r, n)
    v = {'results': [{'columns': [{'name': 'SKU', 'type': 'VARCHAR2'}, {'name': 'TITLE', 'type': 'VARCHAR2'}, {'name': 'QTY', 'type': 'NUMBER'}], 'items': [{'sku': p.sku, 'title': p.title, 'qty': N(p.qty)} for p in ps]}]}
    return out('sql-developer', v, n, col(ps, 'sku', 'title', 'qty'))


def es_sql(r, n):
    ps = products(r, n)
    v = {'columns': [{'name': 'sku', 'type': 'keyword'}, {'name': 'title', 'type': 'text'}, {'name': 'qty', 'type': 'long'}], 'rows': [[p.sku, p.title, N(p.qty)] for p in ps]}
    return out('elasticsearch-sql', v, n, col(ps, 'sku', 'title', 'qty'))


def gviz(r, n):
    ps = products(r, n)
    v = {'version': '0.6', 'status': 'ok', 'table': {'cols': [{'id': k, 'label': l, 'type': 'string'} for k, l in (('A', 'SKU'), ('B', 'Title'), ('C', 'Qty'))], 'rows': [{'c': [{'v': p.sku}, {'v': p.title}, {'v': N(p.qty)}]} for p in ps]}}
    return out('gviz', v, n, col(ps, 'sku', 'title', 'qty'), mayRefuse=True)


def bq_rows(r, n):
    ps = products(r, n)
    v = {'kind': 'bigquery#queryResponse', 'schema': {'fields': [{'name': k, 'type': 'STRING'} for k in ('sku', 'title', 'qty')]}, 'rows': [{'f': [{'v': p.sku}, {'v': p.title}, {'v': p.qty}]} for p in ps], 'totalRows': str(n), 'jobComplete': True}
    return out('bigquery-rows', v, n, col(ps, 'sku', 'title', 'qty'), mayRefuse=True)


def datatables(r, n):
    ps = products(r, n)
    return out('datatables', {'draw': 1, 'recordsTotal': n, 'recordsFiltered': n, 'data': [[p.sku, p.title, p.qty, p.price] for p in ps]}, n, col(ps, 'sku', 'title', 'qty', 'price'))


def socrata(r, n):
    ps = products(r, n)
    v = {'meta': {'view': {'id': 'x', 'columns': [{'id': -1, 'name': 'SKU', 'dataTypeName': 'text'}, {'id': 2, 'name': 'Title', 'dataTypeName': 'text'}, {'id': 3, 'name': 'Qty', 'dataTypeName': 'number'}]}}, 'data': [[p.sku, p.title, p.qty] for p in ps]}
    return out('socrata', v, n, col(ps, 'sku', 'title', 'qty'))


def stock_by_warehouse(r, n):
    ps = products(r, n)
    return out('stock-by-warehouse', {'generated': '2026-01-01', 'articles': [{'no': p.sku, 'desc': p.title, 'stock': {'NORTH': N(p.qty), 'SOUTH': 4}, 'prices': {'net': N(p.price), 'gross': N(p.cost)}, 'ean': p.gtin} for p in ps]}, n, {**col(ps, 'sku', 'title', 'qty', 'price', 'cost', 'gtin'), 'south': ['4'] * n})


def by_department(r, n):
    """Lists of products by the name of their department."""
    ps = products(r, n)
    v = {f'Dept {k}': [{'sku': p.sku, 'name': p.title, 'price': N(p.price)} for p in ps[k * 4:k * 4 + 4]] for k in range((n + 3) // 4)}
    return out('by-department', v, n, {**col(ps, 'sku', 'title', 'price'), 'dept': [f'Dept {p.n // 4}' for p in ps]})


def departments(r, n):
    ps = products(r, n)
    v = {'departments': [{'name': f'Dept {k}', 'manager': 'X', 'products': [{'sku': p.sku, 'title': p.title, 'price': N(p.price), 'qty': N(p.qty)} for p in ps[k * 4:k * 4 + 4]]} for k in range((n + 3) // 4)]}
    return out('department-list', v, n, {**col(ps, 'sku', 'title', 'price', 'qty'), 'dept': [f'Dept {p.n // 4}' for p in ps]})


def colours_sizes(r, n):
    ps = products(r, n, 2, 4)
    def cols(p):
        h = len(p.variants) // 2
        return [('red', p.variants[:h]), ('blue', p.variants[h:])]
    v = {'styles': [{'style': p.sku, 'name': p.title, 'colours': [{'colour': c, 'swatch': f'{c}.png', 'sizes': [{'size': x.size, 'ean': x.gtin, 'stock': N(x.qty)} for x in vs]} for c, vs in cols(p)]} for p in ps]}
    return out('style-colour-size', v, len(pairs(ps)), {**vcol(ps, ['gtin', 'qty', 'size'], ['sku', 'title']), 'colour': [c for p in ps for c, vs in cols(p) for _ in vs]})


def single(r, name):
    p = Product(r, 1, 3)
    v = {'product': {'id': N(p.id), 'title': p.title, 'vendor': p.brand, 'variants': [{'sku': x.sku, 'price': x.price, 'inventory_quantity': N(x.qty)} for x in p.variants]}}
    return out('one-product-variants', v, 3, vcol([p], ['sku', 'price', 'qty'], ['id', 'title', 'brand']))


def case_keys(r, n):
    ps = products(r, n)
    return out('keys-by-case', [{'SKU': p.sku, 'sku': p.id, 'Größe': p.title, '数量': N(p.qty), 'Preis (€)': p.price.replace('.', ',')} for p in ps], n, {**col(ps, 'sku', 'id', 'title', 'qty'), 'price': [p.price.replace('.', ',') for p in ps]}, indent=None)


def uneven(r, n):
    """Fields missing, null, empty, blank, in turn; a large number as the key."""
    ps = products(r, n)
    items = []
    for p in ps:
        o = {'item_number': N('12345678901234567890' + str(p.n)), 'name': p.title, 'price': N(p.price)}
        if p.n % 4 != 0:
            o['stock'] = [None, '', N(p.qty)][p.n % 4 - 1]
        items.append(o)
    return out('uneven', {'data': {'page': {'rows': items}}}, n, {**col(ps, 'title', 'price'), 'id': ['12345678901234567890' + str(p.n) for p in ps], 'qty': [p.qty if p.n % 4 == 3 else '' for p in ps]})


def sku_to_qty(r, n):
    ps = products(r, n)
    return out('sku-to-quantity', {p.sku: N(p.qty) for p in ps}, n, col(ps, 'sku', 'qty'), mayRefuse=True)


def refuse(r, how):
    ps = products(r, 10)
    v = {
        'error': {'error': {'code': 401, 'message': 'Invalid token', 'details': [{'type': 'a', 'reason': 'b'}, {'type': 'c', 'reason': 'd'}]}},
        'empty': [],
        'no-items': {'items': [], 'total': 0},
        'orders': {'orders': [{'id': N(p.id), 'order_number': p.n, 'email': 'a@b.example', 'total_price': p.price, 'line_items': [{'sku': p.sku, 'quantity': 1, 'price': p.price}]} for p in ps]},
        'shops-map': {'type': 'FeatureCollection', 'features': [{'type': 'Feature', 'geometry': {'type': 'Point', 'coordinates': [N('9.1'), N('54.2')]}, 'properties': {'name': p.title, 'city': 'Kiel', 'phone': '1'}} for p in ps]},
        'lock-file': {'name': 'x', 'lockfileVersion': 3, 'packages': {f'node_modules/{p.id}': {'version': '1.0.0', 'resolved': 'u', 'integrity': 's'} for p in ps}},
        'users': [{'id': p.n, 'login': f'u{p.n}', 'email': f'u{p.n}@x.example', 'created_at': '2026-01-01'} for p in ps],
    }[how]
    return doc('json', 'refuse-' + how, js(v, indent=2), 10, {}, mustRefuse=True)


# lines

def nd(name, values, rows, fields, end='\n', enc='utf-8', **more):
    return doc('ndjson', name, end.join([js(v) for v in values] + ['']).encode(enc), rows, fields, **more)


def debezium(r, n):
    ps = products(r, n)
    return nd('debezium', [{'payload': {'before': None, 'after': {'sku': p.sku, 'name': p.title, 'qty': N(p.qty), 'price': p.price}, 'source': {'table': 'items'}, 'op': 'r', 'ts_ms': 1}} for p in ps], n, col(ps, 'sku', 'title', 'qty', 'price'), mayTell=True, mayRefuse=True)


def elasticdump(r, n):
    ps = products(r, n)
    return nd('elasticdump', [{'_index': 'items', '_type': '_doc', '_id': p.id, '_score': 1, '_source': {'sku': p.sku, 'name': p.title, 'stock': N(p.qty), 'price': N(p.price)}} for p in ps], n, col(ps, 'id', 'sku', 'title', 'qty', 'price'))


def dynamo_export(r, n):
    ps = products(r, n)
    return nd('dynamodb-metadata', [{'Metadata': {'WriteTimestampMicros': {'N': '1'}}, 'Keys': {'sku': {'S': p.sku}}, 'NewImage': {'sku': {'S': p.sku}, 'price': {'N': p.price}, 'stock': {'N': p.qty}}} for p in ps], n, col(ps, 'sku', 'price', 'qty'), mayRefuse=True)


def growing(r, n):
    ps = products(r, n)
    keys = ['sku', 'title', 'price', 'qty', 'gtin']
    vals = [{k: getattr(p, k) for k in keys[: 2 + p.n % 4]} for p in ps]
    return nd('growing', vals, n, {k: [getattr(p, k) if i < 2 + p.n % 4 else '' for p in ps] for i, k in enumerate(keys)})


def utf16_lines(r, n):
    ps = products(r, n)
    return nd('utf16', [{'sku': p.sku, 'title': p.title, 'qty': N(p.qty)} for p in ps], n, col(ps, 'sku', 'title', 'qty'), end='\r\n', enc='utf-16')


def glued(r, n):
    ps = products(r, n)
    return nd('glued', [{'sku': p.sku, 'title': p.title, 'qty': N(p.qty)} for p in ps], n, col(ps, 'sku', 'title', 'qty'), end='')


def pages(r, n):
    """Answers of an API one behind the other."""
    ps = products(r, n)
    return doc('ndjson', 'pages-behind-each-other', '\n'.join(js({'page': k // 5 + 1, 'products': [{'sku': p.sku, 'title': p.title, 'price': N(p.price)} for p in ps[k:k + 5]]}, indent=2) for k in range(0, n, 5)), n, col(ps, 'sku', 'title', 'price'))


def commas(r, n):
    ps = products(r, n)
    return doc('ndjson', 'commas-at-ends', ',\n'.join(js({'sku': p.sku, 'qty': N(p.qty)}) for p in ps), n, col(ps, 'sku', 'qty'), mayRefuse=True)


def half_line(r, n):
    ps = products(r, n)
    t = [js({'sku': p.sku, 'title': p.title}) for p in ps]
    t[n // 2] = t[n // 2][:12]
    return doc('ndjson', 'half-line-inside', '\n'.join(t) + '\n', n, {}, mustRefuse=True)
