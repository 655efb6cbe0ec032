"""The fourth set: JSON of shops, marketplaces, ERP systems and of programs of the suppliers' own."""
from fourth_model import Num, dump, goods, keys, made, rows


def fields_of(spec, ahead=''):
    return ' '.join(ahead + part.split('=')[1].lstrip('#?') for part in spec.split())


def whole(r, name, count, spec, frame=None, also=None, soft='', enc='utf-8', bom=b'', **how):
    """frame: from the list and the number of items, what an API answers."""
    products = goods(r, count)
    items = [{**keys(g, spec), **(also(g) if also else {})} for g in products]
    return made('json', name, dump(frame(items, count) if frame else items, **how), products, fields_of(spec), soft, enc, bom)


def nested(r, name, count, spec, group, own, frame=None, least=1, also=None, soft='', **how):
    products = goods(r, count, least, 3)
    items = []
    for g in products:
        out = {**keys(g, spec), **(also(g) if also else {})}
        *path, last = group.split('.')
        at = out
        for step in path:
            at = at.setdefault(step, {})
        at[last] = [keys(p, own) for p in rows([g])]
        items.append(out)
    return made('json', name, dump(frame(items, count) if frame else items, **how), rows(products), fields_of(spec, 'p.') + ' ' + fields_of(own), soft)


def by_key(r, name, count, spec, frame=None):
    """An object whose keys are the numbers of the items."""
    products = goods(r, count)
    items = {f'{g.sku}': keys(g, spec) for g in products}
    return made('json', name, dump(frame(items, count) if frame else items, indent=2), products, 'sku ' + fields_of(spec))


def table(r, name, count, frame, numbers=True):
    """Rows are lists, the names stand once."""
    products = goods(r, count)
    body = [[g.sku, g.name, Num(g.qty) if numbers else g.qty, Num(g.price) if numbers else g.price, g.ean] for g in products]
    return made('json', name, dump(frame(['code', 'description', 'stock', 'price', 'ean'], body)), products, 'sku name qty price ean')


def columns(r, name, count):
    products = goods(r, count)
    text = dump({'sku': {g.n: g.sku for g in products}, 'name': {g.n: g.name for g in products}, 'qty': {g.n: Num(g.qty) for g in products}, 'price': {g.n: Num(g.price) for g in products}})
    return made('json', name, text, products, 'sku name qty price')


def graphql(r, name, count):
    pairs, edges = [], []
    for g in goods(r, count, 1, 3):
        pairs += rows([g])
        own = [{'node': {'sku': v.sku, 'barcode': v.ean, 'price': v.price, 'inventoryQuantity': Num(v.qty)}} for v in g.vs]
        edges.append({'cursor': f'c{g.n}', 'node': {'id': f'gid://shop/Product/{g.id}', 'title': g.name, 'vendor': g.brand, 'variants': {'edges': own}}})
    text = dump({'data': {'products': {'edges': edges, 'pageInfo': {'hasNextPage': False}}}, 'extensions': {'cost': {'requestedQueryCost': 12}}})
    return made('json', name, text, pairs, 'v.sku v.ean v.price v.qty p.name p.brand')


def json_api(r, name, count):
    products = goods(r, count)
    data = [{'type': 'products', 'id': g.id, 'attributes': {'sku': g.sku, 'name': g.name, 'price': Num(g.price), 'stock': Num(g.qty), 'note': g.note or None}, 'relationships': {'brand': {'data': {'type': 'brands', 'id': '1'}}}, 'links': {'self': g.url}} for g in products]
    included = [{'type': 'brands', 'id': '1', 'attributes': {'name': 'Vasto'}}]
    return made('json', name, dump({'jsonapi': {'version': '1.0'}, 'data': data, 'included': included, 'meta': {'count': count}}, indent=1), products, 'id sku name price qty note url')


def json_ld(r, name, count):
    products = goods(r, count)
    items = [{'@type': 'ListItem', 'position': Num(g.n), 'item': {'@type': 'Product', 'sku': g.sku, 'name': g.name, 'gtin13': g.ean, 'brand': {'@type': 'Brand', 'name': g.brand}, 'offers': {'@type': 'Offer', 'price': g.price, 'priceCurrency': 'EUR', 'availability': 'https://schema.org/InStock'}}} for g in products]
    return made('json', name, dump({'@context': 'https://schema.org', '@type': 'ItemList', 'numberOfItems': count, 'itemListElement': items}), products, 'sku name ean brand price')


def wrapped_items(r, name, count):
    """Each item stands in an object of its own, as answers of Brazilian ERP systems have it."""
    products = goods(r, count)
    items = [{'produto': {'id': Num(g.id), 'codigo': g.sku, 'nome': g.name, 'preco': Num(g.price), 'saldo': Num(g.qty), 'gtin': g.ean, 'situacao': 'A'}} for g in products]
    return made('json', name, dump({'retorno': {'status_processamento': '3', 'status': 'OK', 'pagina': '1', 'numero_paginas': '1', 'produtos': items}}), products, 'id sku name price qty ean')


def custom_attributes(g):
    return {'custom_attributes': [{'attribute_code': 'color', 'value': g.colour}, {'attribute_code': 'meta_keyword', 'value': g.note}, {'attribute_code': 'category_ids', 'value': ['3', '7']}]}


def images(g):
    return {'images': [{'src': url, 'position': k} for k, url in enumerate(g.imgs)], 'tags': [g.colour, g.size]}


def late(r, name, count):
    """Keys that the first items lack."""
    products = goods(r, count)
    for at, g in enumerate(products):
        g.note = 'call us' if at > count * 0.8 else ''
    items = [{k: v for k, v in keys(g, 'sku=sku qty=#qty name=name price=#price note=?note').items() if v is not None} for g in products]
    return made('json', name, dump({'items': items}), products, 'sku qty name price note')


def groups(r, name, count):
    records, out = [], []
    for at, cat in enumerate(['Bath', 'Tools & Garden', 'Büro']):
        part = goods(r, count)
        for g in part:
            g.sku, g.cat = f'{at}-{g.sku}', cat
        records += part
        out.append({'category': cat, 'products': [keys(g, 'sku=sku name=name price=#price stock=#qty') for g in part]})
    return made('json', name, dump({'catalog': out}, indent=4), records, 'sku name price qty cat')


SIMPLE = 'sku=sku name=name price=#price quantity=#qty ean=ean'
TEXTS = 'sku=sku title=name price=price stock=qty brand=brand'
PLAIN = [
    (whole, 'array', 18, SIMPLE), (whole, 'array-lines', 9, SIMPLE + ' note=?note active=live', {'indent': 2}), (whole, 'array-texts', 300, TEXTS, {'separators': (',', ':')}),
    (whole, 'array-ascii', 12, TEXTS, {'ensure_ascii': True, 'indent': 4}), (whole, 'array-bom', 10, SIMPLE, {'bom': b'\xef\xbb\xbf', 'indent': 2}), (whole, 'array-nested', 14, 'id=#id sku=sku name=name price.amount=price price.currency=eur stock.available=#qty brand.name=brand'),
    (whole, 'products', 20, SIMPLE, lambda items, n: {'products': items}), (whole, 'status-data', 12, TEXTS, lambda items, n: {'status': 'success', 'code': 200, 'data': items}),
    (whole, 'results-paged', 15, SIMPLE, lambda items, n: {'count': n, 'next': None, 'previous': None, 'results': items}), (whole, 'items-total', 11, SIMPLE, lambda items, n: {'items': items, 'total': n, 'page': 1, 'pages': 1, 'errors': []}),
    (whole, 'odata-v4', 13, 'No=sku Description=name Inventory=#qty Unit_Price=#price Blocked=live GTIN=ean', lambda items, n: {'@odata.context': 'https://api.erp.example/v2.0/$metadata#items', 'value': items}),
    (whole, 'odata-v2', 10, 'Material=sku Text=name Stock=qty NetPrice=price Ean=ean', lambda items, n: {'d': {'results': [{'__metadata': {'type': 'Z.Item'}, **item} for item in items]}}),
    (nested, 'shopify-products', 8, 'id=#id title=name vendor=brand', 'variants', 'id=#v.id sku=v.sku price=v.price option1=v.size barcode=v.ean inventory_quantity=#v.qty', lambda items, n: {'products': items}, 1, images),
    (nested, 'woo-variations', 9, 'id=#id name=name sku=sku', 'variations', 'sku=v.sku regular_price=v.price stock_quantity=#v.qty size=v.size'),
    (whole, 'woo-products', 12, 'id=#id name=name sku=sku price=price regular_price=price sale_price=sale stock_quantity=#qty weight=kg', None, lambda g: {'categories': [{'id': 5, 'name': 'All', 'slug': 'all'}], 'images': [{'id': 1, 'src': g.img}], 'meta_data': []}),
    (whole, 'magento-rest', 10, 'id=#id sku=sku name=name price=#price status=#n', lambda items, n: {'items': items, 'search_criteria': {'filter_groups': [], 'page_size': 100}, 'total_count': n}, custom_attributes, 'colour'),
    (nested, 'bigcommerce', 7, 'id=#id name=name sku=sku price=#price', 'variants', 'id=#v.id sku=v.sku inventory_level=#v.qty upc=v.ean', lambda items, n: {'data': items, 'meta': {'pagination': {'total': n, 'count': n, 'per_page': 50, 'current_page': 1, 'total_pages': 1}}}),
    (whole, 'business-central', 12, 'id=id number=sku displayName=name inventory=#qty unitPrice=#price gtin=ean itemCategoryCode=cat', lambda items, n: {'@odata.context': 'x', 'value': [{'@odata.etag': 'W/"JzQ0"', **item} for item in items]}),
    (whole, 'netsuite', 11, 'internalid=id itemid=sku displayname=name quantityavailable=qty baseprice=price upccode=ean', lambda items, n: {'links': [{'rel': 'self', 'href': 'https://x.example'}], 'count': n, 'hasMore': False, 'offset': 0, 'totalResults': n, 'items': items}),
    (whole, 'zoho-inventory', 10, 'item_id=id sku=sku name=name rate=#price available_stock=#qty status=new upc=ean', lambda items, n: {'code': 0, 'message': 'success', 'items': items, 'page_context': {'page': 1, 'per_page': 200, 'has_more_page': False}}),
    (whole, 'stock-levels', 40, 'article=sku available=#qty expected=date', lambda items, n: {'generatedAt': '2026-10-02T04:00:00Z', 'warehouse': {'code': 'NL1', 'city': 'Breda'}, 'stock': items}),
    (whole, 'array-lagerliste', 22, 'Artikelnr=sku Bezeichnung=name EAN=ean Bestand=#qty VK_netto=#price Hersteller=brand Gewicht_kg=#kg', {'indent': 2}),
    (whole, 'price-list', 16, 'artikelnummer=sku bezeichnung=name vk=comma ek=#cost ean=ean', lambda items, n: {'preisliste': {'gueltig': '2026-10-01', 'artikel': items}}),
]
UNUSUAL = [
    (by_key, 'by-sku', 12, 'name=name price=#price stock=#qty'), (by_key, 'by-sku-products', 9, 'title=name qty=#qty ean=ean', lambda items, n: {'updated': '2026-10-02', 'products': items}), (columns, 'pandas-columns', 11),
    (table, 'rows-first', 10, lambda head, body: [head, *body]), (table, 'columns-rows', 12, lambda head, body: {'columns': head, 'rows': body, 'rowCount': len(body)}), (table, 'pandas-split', 9, lambda head, body: {'columns': head, 'index': list(range(len(body))), 'data': body}),
    (table, 'fields-records', 10, lambda head, body: {'fields': [{'name': name, 'type': 'text'} for name in head], 'records': body}, False), (table, 'sheet-values', 13, lambda head, body: {'range': 'Stock!A1:E14', 'majorDimension': 'ROWS', 'values': [head, *body]}, False),
    (graphql, 'graphql-variants', 8), (json_api, 'json-api', 11), (json_ld, 'json-ld-list', 10), (wrapped_items, 'wrapped-items', 12), (late, 'late-keys', 120), (groups, 'category-groups', 6),
    (whole, 'one-product', 1, SIMPLE, lambda items, n: {'products': items}), (whole, 'utf16', 9, SIMPLE, {'enc': 'utf-16'}),
    (nested, 'colour-sizes', 6, 'style=sku name=name', 'skus', 'code=v.sku colour=v.colour size=v.size free=#v.qty', lambda items, n: [{'season': '26W', 'styles': items}], 2),
    (whole, 'stock-by-store', 9, 'sku=sku name=name price=#price stock.Breda=#s1 stock.Gent=#s2 stock.Lille=#s3'),
]
