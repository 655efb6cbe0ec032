"""Second set, XML: written after the readers were mended by the first one, from other programs."""
from model import *

I = {'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance'}


def out(name, root, rows, fields, top=DECL, pretty=True, **more):
    return doc('xml', name, top + xml(root, pretty=pretty), rows, fields, **more)


def ebay(r, n):
    ps = products(r, n, 1, 3)
    items = [E('Item', E('ItemID', p.id), E('Title', p.title), E('Variations', [E('Variation', E('SKU', v.sku), E('StartPrice', {'currencyID': 'EUR'}, v.price), E('Quantity', v.qty),
               E('VariationSpecifics', E('NameValueList', E('Name', 'Size'), E('Value', v.size)))) for v in p.variants])) for p in ps]
    return out('ebay-sellerlist', E('GetSellerListResponse', {'xmlns': 'urn:ebay:apis:eBLBaseComponents'}, E('Timestamp', '2026-01-01T00:00:00Z'), E('Ack', 'Success'), E('ItemArray', items)), len(pairs(ps)),
               {**vcol(ps, ['sku', 'price', 'qty'], ['id', 'title']), 'size': [{'has': [v.size]} for _, v in pairs(ps)]})


def skroutz(r, n):
    ps = products(r, n, 1, 3)
    items = [E('product', E('id', CD(p.id)), E('name', CD(p.title)), E('category', CD(p.cat)), E('manufacturer', CD(p.brand)), E('price_with_vat', p.price), E('mpn', CD(p.sku)), E('quantity', p.qty),
               E('variations', [E('variation', E('variationid', v.sku), E('availability', 'In stock'), E('size', v.size), E('ean', v.gtin), E('quantity', v.qty)) for v in p.variants])) for p in ps]
    return out('skroutz', E('mywebstore', E('created_at', '2026-01-01 10:30'), E('products', items)), len(pairs(ps)), vcol(ps, ['sku', 'size', 'gtin', 'qty'], ['id', 'title', 'cat', 'brand', 'price', 'sku']))


def iof(r, n):
    ps = products(r, n, 1, 4)
    items = [E('product', {'id': p.id, 'vat': '23.0'}, E('producer', {'id': '13', 'name': p.brand}), E('description', E('name', {'xml:lang': 'eng'}, CD(p.title))), E('price', {'gross': p.price, 'net': p.cost}),
               E('sizes', [E('size', {'id': str(k), 'name': v.size, 'code': v.sku, 'code_producer': v.gtin}, E('stock', {'id': '1', 'quantity': v.qty})) for k, v in enumerate(p.variants)])) for p in ps]
    return out('iof-idosell', E('offer', {'file_format': 'IOF', 'version': '3.0', 'generated': '2026-01-01'}, E('products', {'language': 'eng'}, items)), len(pairs(ps)), vcol(ps, ['sku', 'size', 'gtin', 'qty'], ['id', 'brand', 'title', 'price', 'cost']))


def shoptet(r, n):
    ps = [Product(r, i, [0, 2, 3][i % 3]) for i in range(n)]
    items = [E('SHOPITEM', {'id': p.id}, E('NAME', p.title), E('MANUFACTURER', p.brand), E('CODE', p.sku) if not p.variants else None, E('PRICE_VAT', p.price) if not p.variants else None,
               E('VARIANTS', [E('VARIANT', {'id': v.id}, E('CODE', v.sku), E('EAN', v.gtin), E('PRICE_VAT', v.price), E('STOCK', E('AMOUNT', v.qty))) for v in p.variants]) if p.variants else None) for p in ps]
    return out('shoptet', E('SHOP', items), len(pairs(ps)), vcol(ps, ['gtin', 'qty', 'sku'], ['id', 'title', 'brand']))


def colours_sizes(r, n):
    ps = products(r, n, 2, 4)
    def cols(p):
        h = len(p.variants) // 2
        return [('red', p.variants[:h]), ('blue', p.variants[h:])]
    items = [E('Style', {'Code': p.sku}, E('Name', p.title), [E('Colour', {'Name': c}, E('Image', f'{p.id}-{c}.jpg'), [E('Size', {'Label': v.size}, E('EAN', v.gtin), E('FreeStock', v.qty)) for v in vs]) for c, vs in cols(p)]) for p in ps]
    return out('style-colour-size', E('Styles', items), len(pairs(ps)), {**vcol(ps, ['gtin', 'qty', 'size'], ['sku', 'title']), 'colour': [c for p in ps for c, vs in cols(p) for _ in vs], 'image': [f'{p.id}-{c}.jpg' for p in ps for c, vs in cols(p) for _ in vs]})


def onix(r, n):
    ps = products(r, n)
    items = [E('Product', E('RecordReference', p.sku), E('NotificationType', '03'), E('ProductIdentifier', E('ProductIDType', '15'), E('IDValue', p.gtin)), E('ProductIdentifier', E('ProductIDType', '01'), E('IDTypeName', 'own'), E('IDValue', p.sku)),
               E('DescriptiveDetail', E('ProductForm', 'BC'), E('TitleDetail', E('TitleType', '01'), E('TitleElement', E('TitleText', p.title)))), E('ProductSupply', E('SupplyDetail', E('Stock', E('OnHand', p.qty)), E('Price', E('PriceType', '02'), E('PriceAmount', p.price), E('CurrencyCode', 'EUR'))))) for p in ps]
    return out('onix', E('ONIXMessage', {'release': '3.0', 'xmlns': 'http://ns.editeur.org/onix/3.0/reference'}, E('Header', E('Sender', E('SenderName', 'House')), E('SentDateTime', '20260101')), items), n, {**col(ps, 'sku', 'title', 'qty', 'price'), 'gtin': [{'has': [p.gtin]} for p in ps]})


def qbxml(r, n):
    ps = products(r, n)
    items = [E('ItemInventoryRet', E('ListID', f'80000001-{p.id}'), E('Name', p.sku), E('IsActive', p.live), E('SalesDesc', p.title), E('SalesPrice', p.price), E('BarCodeValue', p.gtin), E('PrefVendorRef', E('FullName', p.brand)), E('QuantityOnHand', p.qty)) for p in ps]
    return out('qbxml', E('QBXML', E('QBXMLMsgsRs', E('ItemInventoryQueryRs', {'requestID': '1', 'statusCode': '0', 'statusMessage': 'Status OK'}, items))), n, col(ps, 'sku', 'title', 'price', 'gtin', 'qty', 'live', 'brand'))


def exact(r, n):
    ps = products(r, n)
    items = [E('Item', {'code': p.sku, 'type': 'S'}, E('Description', p.title), E('Barcode', p.gtin), E('Sales', E('Price', E('Currency', {'code': 'EUR'}), E('Value', p.price))), E('ItemWarehouses', E('ItemWarehouse', {'default': '1'}, E('Warehouse', {'code': '1'}, E('Description', 'Main')), E('CurrentStock', p.qty)))) for p in ps]
    return out('exact-online', E('eExact', I, E('Items', items)), n, col(ps, 'sku', 'title', 'gtin', 'price', 'qty'))


def pohoda(r, n):
    ps = products(r, n)
    items = [E('lStk:stock', {'version': '2.0'}, E('stk:stockHeader', E('stk:id', p.id), E('stk:code', p.sku), E('stk:EAN', p.gtin), E('stk:name', p.title), E('stk:count', p.qty), E('stk:sellingPrice', p.price), E('stk:storage', E('typ:ids', 'MAIN')))) for p in ps]
    root = E('rsp:responsePack', {'xmlns:rsp': 'a', 'xmlns:lStk': 'b', 'xmlns:stk': 'c', 'xmlns:typ': 'd', 'state': 'ok'}, E('rsp:responsePackItem', {'id': '001'}, E('lStk:listStock', {'state': 'ok'}, items)))
    return doc('xml', 'pohoda-windows-1250', ('<?xml version="1.0" encoding="Windows-1250"?>' + xml(root)).encode('cp1250', 'xmlcharrefreplace'), n, col(ps, 'id', 'sku', 'gtin', 'title', 'qty', 'price'))


def commerceml(r, n):
    ps = products(r, n)
    items = [E('Предложение', E('Ид', p.id), E('Артикул', p.sku), E('Штрихкод', p.gtin), E('Наименование', p.title), E('Цены', E('Цена', E('ИдТипаЦены', 't1'), E('ЦенаЗаЕдиницу', p.price), E('Валюта', 'руб'))), E('Количество', p.qty)) for p in ps]
    return out('commerceml', E('КоммерческаяИнформация', {'ВерсияСхемы': '2.05', 'ДатаФормирования': '2026-01-01'}, E('ПакетПредложений', {'СодержитТолькоИзменения': 'false'}, E('Ид', 'x'), E('Предложения', items))), n, col(ps, 'id', 'sku', 'gtin', 'title', 'price', 'qty'))


def diffgram(r, n):
    ps = products(r, n)
    rows = [E('Table', {'diffgr:id': f'Table{p.n + 1}', 'msdata:rowOrder': str(p.n)}, E('ItemCode', p.sku), E('ItemName', p.title), E('OnHand', p.qty), E('Price', p.price) if p.n % 4 else None) for p in ps]
    schema = E('xs:schema', {'id': 'NewDataSet', 'xmlns:xs': 'http://www.w3.org/2001/XMLSchema'}, E('xs:element', {'name': 'NewDataSet'}, E('xs:complexType', E('xs:choice', E('xs:element', {'name': 'Table'}, E('xs:complexType', E('xs:sequence', [E('xs:element', {'name': k, 'type': 'xs:string', 'minOccurs': '0'}) for k in ('ItemCode', 'ItemName', 'OnHand', 'Price')])))))))
    root = E('soap:Envelope', {'xmlns:soap': 'http://schemas.xmlsoap.org/soap/envelope/'}, E('soap:Body', E('GetStockResponse', {'xmlns': 'http://tempuri.org/'}, E('GetStockResult', schema, E('diffgr:diffgram', {'xmlns:msdata': 'm', 'xmlns:diffgr': 'd'}, E('NewDataSet', {'xmlns': ''}, rows))))))
    return out('soap-diffgram', root, n, {**col(ps, 'sku', 'title', 'qty'), 'price': [p.price if p.n % 4 else '' for p in ps]}, pretty=False)


def ssrs(r, n):
    ps = products(r, n)
    rows = [E('Detail', {'SKU': p.sku, 'Description': p.title, 'QtyOnHand': p.qty, 'ListPrice': p.price}) for p in ps]
    return out('ssrs-report', E('Report', {**I, 'Name': 'Stock', 'xmlns': 'Stock', 'textbox1': 'Stock list'}, E('Tablix1', E('Detail_Collection', rows))), n, col(ps, 'sku', 'title', 'qty', 'price'))


def locations(r, n):
    ps = products(r, n)
    rows = [E('article', E('number', p.sku), E('text', p.title), E('stock', E('location', {'code': 'NORTH'}, p.qty), E('location', {'code': 'SOUTH'}, '5')), E('price', {'currency': 'EUR', 'type': 'net'}, p.price)) for p in ps]
    return out('stock-by-location', E('articles', {'date': '2026-01-01'}, rows), n, {**col(ps, 'sku', 'title', 'price'), 'qty': [{'has': [p.qty]} for p in ps]})


def texts(r, n):
    """Prices with their currency, quantities in words, blank fields."""
    ps = products(r, n)
    q = ['>100', 'in stock', '0', '', 'auf Anfrage']
    rows = [E('produkt', E('artnr', p.sku), E('bezeichnung', p.title), E('preis', p.price.replace('.', ',') + ' €'), E('bestand', q[p.n % 5]) if q[p.n % 5] else E('bestand')) for p in ps]
    return out('german-texts', E('produkte', rows), n, {**col(ps, 'sku', 'title'), 'price': [p.price.replace('.', ',') + ' €' for p in ps], 'qty': [q[p.n % 5] for p in ps]})


def letter_case(r, n):
    ps = products(r, n)
    rows = [E('row', E('Sku', p.sku), E('SKU_Alt', p.id), E('item-name', p.title), E('qty.on.hand', p.qty), E('price_1', p.price), E('price_2', p.cost)) for p in ps]
    return out('odd-names', E('rows', rows), n, col(ps, 'sku', 'id', 'title', 'qty', 'price', 'cost'))


def grouped(r, n):
    """Articles in groups, and some groups in groups."""
    ps = products(r, n)
    art = [E('article', {'sku': p.sku, 'price': p.price}, p.title) for p in ps]
    h = n // 2
    return out('groups-in-groups', E('catalogue', E('group', {'name': 'A'}, art[:h]), E('group', {'name': 'B'}, E('group', {'name': 'B1'}, art[h:]))), n, col(ps, 'sku', 'price', 'title'), mayTell=True)


def department(r, n):
    """Brand, range, product: three levels, the outer ones with a name only."""
    ps = products(r, n)
    g = [ps[i:i + 3] for i in range(0, n, 3)]
    body = E('pricelist', E('valid', '2026-01-01'), [E('brand', {'name': f'Brand {i // 2}'}, [E('range', {'title': f'Range {i}'}, [E('item', E('itemcode', p.sku), E('descr', p.title), E('netprice', p.price)) for p in g[i]])]) for i in range(len(g))])
    return out('brand-range-item', body, n, {**col(ps, 'sku', 'title', 'price'), 'brand': [f'Brand {p.n // 6}' for p in ps], 'range': [f'Range {p.n // 3}' for p in ps]})


def two_stores(r, n):
    ps = products(r, n)
    h = n // 2
    rows = [E('item', E('ean', p.gtin), E('qty', p.qty), E('sku', p.sku)) for p in ps]
    return out('lists-by-store', E('inventory', E('north', rows[:h]), E('south', rows[h:])), n, col(ps, 'gtin', 'qty', 'sku'))


def wp(r, n):
    ps = products(r, n)
    def meta(k, v):
        return E('wp:postmeta', E('wp:meta_key', CD(k)), E('wp:meta_value', CD(v)))
    items = [E('item', E('title', CD(p.title)), E('link', f'https://s.example/?p={p.id}'), E('wp:post_id', p.id), E('wp:post_type', CD('product')), meta('_sku', p.sku), meta('_price', p.price), meta('_stock', p.qty)) for p in ps]
    return out('wordpress-export', E('rss', {'version': '2.0', 'xmlns:wp': 'http://wordpress.org/export/1.2/'}, E('channel', E('title', 'Shop'), E('wp:wxr_version', '1.2'), items)), n, {**col(ps, 'title', 'id'), 'sku': [{'has': [p.sku]} for p in ps]}, mayRefuse=True)


def matterhorn(r, n):
    ps = products(r, n, 1, 3)
    items = [E('PRODUCT', E('ID', p.id), E('NAME', p.title), E('BRAND', p.brand), E('PRICES', E('EUR', p.price), E('USD', p.cost)), E('IMAGES', [E('IMAGE', f'{k}.jpg') for k in range(3)]),
               E('OPTIONS', [E('OPTION', E('OPTION_NAME', v.size), E('OPTION_STOCK', v.qty), E('OPTION_EAN', v.gtin)) for v in p.variants])) for p in ps]
    return out('options', E('PRODUCTS', items), len(pairs(ps)), vcol(ps, ['size', 'qty', 'gtin'], ['id', 'title', 'brand', 'price', 'cost']))


def gs1(r, n):
    ps = products(r, n)
    items = [E('tradeItem', E('gtin', p.gtin), E('informationProviderOfTradeItem', E('gln', '4000001000005'), E('partyName', p.brand)), E('additionalTradeItemIdentification', {'type': 'SUPPLIER_ASSIGNED'}, p.sku),
               E('tradeItemInformation', E('extension', E('tdi:tradeItemDescriptionInformation', E('tdi:descriptionShort', {'languageCode': 'en'}, p.title))))) for p in ps]
    body = [E('catalogueItem', E('dataRecipient', '4000'), i) for i in items]
    return out('gs1-cin', E('cin:catalogueItemNotificationMessage', {'xmlns:cin': 'a', 'xmlns:tdi': 'b', 'xmlns:sh': 'c'}, E('sh:StandardBusinessDocumentHeader', E('sh:HeaderVersion', '1.0')), E('transaction', E('documentCommand', E('cin:catalogueItemNotification', body)))), n, col(ps, 'gtin', 'sku', 'title', 'brand'))


def trimmed(r, n):
    ps = products(r, n)
    rows = ''.join(f'<item>\r\n\t<sku>\r\n\t\t{esc(p.sku)}\r\n\t</sku>\r\n\t<name>  {esc(p.title)}  </name>\r\n\t<qty/>\r\n\t<price >{p.price}</price >\r\n</item>\r\n' for p in ps)
    return doc('xml', 'blanks', b'\xef\xbb\xbf\r\n<?xml version="1.0" encoding="utf-8" standalone="yes" ?>\r\n' + f'<items>{rows}</items>\r\n<!-- end -->\r\n'.encode(), n, {**col(ps, 'sku', 'price'), 'title': [{'has': [p.title]} for p in ps]})


def small_list(r):
    """Two products; more images than products."""
    ps = products(r, 2)
    items = [E('prod', E('code', p.sku), E('name', p.title), E('price', p.price), E('pics', [E('pic', E('url', f'u{k}'), E('alt', f'a{k}'), E('w', '9')) for k in range(9)])) for p in ps]
    return out('two-products', E('data', E('prods', items)), 2, col(ps, 'sku', 'title', 'price'))


def refuse(r, how):
    ps = products(r, 10)
    rows = [E('item', E('sku', p.sku), E('title', p.title)) for p in ps]
    text = {
        'error': '<error><code>403</code><message>Forbidden</message></error>',
        'empty': '<products count="0"></products>',
        'blog': xml(E('rss', {'version': '2.0'}, E('channel', E('title', 'News'), [E('item', E('title', p.title), E('link', 'https://b.example/' + p.id), E('description', p.desc), E('pubDate', 'Mon, 05 Jan 2026 10:00:00 GMT'), E('guid', p.id)) for p in ps]))),
        'orders': xml(E('orders', [E('order', E('orderNumber', p.id), E('customer', E('email', 'a@b.example')), E('total', p.price), E('lines', E('line', E('sku', p.sku), E('qty', '1'), E('price', p.price)))) for p in ps])),
        'cut-cdata': xml(E('items', rows))[:-120] + '<![CDATA[abc',
        'wrong-close': xml(E('items', rows)).replace('</title>', '</titel>', 1),
        'twice': (DECL + xml(E('items', rows))) * 2,
        'control': xml(E('items', rows)).replace('<title>', '<title>\x0b', 1),
    }[how]
    return doc('xml', 'refuse-' + how, (DECL if how not in ('twice',) else '') + text, 10, {}, mustRefuse=True)
