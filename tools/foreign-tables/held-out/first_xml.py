"""First set, XML: feeds of shops and channels."""
from model import *

G = {'xmlns:g': 'http://base.google.com/ns/1.0', 'version': '2.0'}


def google_rss(r, n, variants=False):
    ps = products(r, n)
    items = [E('item', E('g:id', p.sku), E('title', CD(p.title)), E('link', f'https://shop.example/p/{p.id}?a=1&b=2'),
               E('g:price', p.price + ' EUR'), E('g:availability', 'in_stock'), E('g:gtin', p.gtin),
               E('g:product_type', p.cat), [E('g:additional_image_link', f'https://i.example/{p.id}-{k}.jpg') for k in range(p.n % 3)],
               E('g:shipping', E('g:country', 'DE'), E('g:price', '4.90 EUR')), E('g:shipping', E('g:country', 'AT'), E('g:price', '8.90 EUR')))
             for p in ps]
    body = E('rss', G, E('channel', E('title', 'Our shop'), E('link', 'https://shop.example'), E('description', 'All'), items))
    return doc('xml', 'google-rss', DECL + xml(body, pretty=True), n,
               {**col(ps, 'sku', 'title', 'gtin', 'cat'), 'price': [p.price + ' EUR' for p in ps],
                'images': [[f'https://i.example/{p.id}-{k}.jpg' for k in range(p.n % 3)] for p in ps]})


def google_atom(r, n):
    ps = products(r, n)
    entries = [E('entry', E('g:id', p.sku), E('title', p.title), E('link', {'href': f'https://s.example/{p.id}', 'rel': 'alternate'}),
                 E('summary', p.desc), E('g:price', p.price), E('g:gtin', p.gtin), E('g:quantity', p.qty)) for p in ps]
    feed = E('feed', {'xmlns': 'http://www.w3.org/2005/Atom', 'xmlns:g': 'http://base.google.com/ns/1.0'},
             E('title', 'Shop'), E('link', {'rel': 'self', 'href': 'https://s.example/'}), E('updated', '2026-01-02T03:04:05Z'), entries)
    return doc('xml', 'google-atom', DECL + xml(feed), n,
               {**col(ps, 'sku', 'title', 'desc', 'price', 'gtin', 'qty'), 'link': [f'https://s.example/{p.id}' for p in ps]})


def heureka(r, n):
    ps = products(r, n)
    items = [E('SHOPITEM', E('ITEM_ID', p.sku), E('PRODUCTNAME', p.title), E('PRICE_VAT', p.price), E('EAN', p.gtin), E('CATEGORYTEXT', p.cat),
               E('PARAM', E('PARAM_NAME', 'Colour'), E('VAL', 'red')), E('PARAM', E('PARAM_NAME', 'Size'), E('VAL', str(p.n))),
               E('DELIVERY', E('DELIVERY_ID', 'PPL'), E('DELIVERY_PRICE', '120')), E('DELIVERY', E('DELIVERY_ID', 'DPD'), E('DELIVERY_PRICE', '90')),
               E('DELIVERY', E('DELIVERY_ID', 'GLS'), E('DELIVERY_PRICE', '80'))) for p in ps]
    return doc('xml', 'heureka', DECL + xml(E('SHOP', items), pretty=True), n,
               {**col(ps, 'sku', 'title', 'price', 'gtin', 'cat'), 'size': [{'has': [str(p.n)]} for p in ps]})


def ceneo(r, n):
    ps = products(r, n)
    items = [E('o', {'id': p.sku, 'url': f'https://s.example/{p.id}', 'price': p.price, 'avail': '1', 'stock': p.qty, 'weight': p.weight},
               E('cat', CD(p.cat)), E('name', CD(p.title)), E('imgs', E('main', {'url': 'https://i.example/1.jpg'}), E('i', {'url': 'https://i.example/2.jpg'})),
               E('desc', CD(p.desc)), E('attrs', E('a', {'name': 'Producent'}, CD(p.brand)), E('a', {'name': 'EAN'}, CD(p.gtin)))) for p in ps]
    body = E('offers', {'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance', 'version': '1'}, items)
    return doc('xml', 'ceneo', DECL + xml(body, pretty=True), n,
               {**col(ps, 'sku', 'price', 'qty', 'weight', 'cat', 'title', 'desc'), 'gtin': [{'has': [p.gtin]} for p in ps]})


def yandex(r, n, doctype):
    ps = products(r, n)
    offers = [E('offer', {'id': p.sku, 'available': p.live}, E('url', 'https://s.example/' + p.id), E('price', p.price), E('currencyId', 'EUR'),
                E('categoryId', str(p.n % 5 + 1)), E('name', p.title), E('barcode', p.gtin), E('count', p.qty),
                E('param', {'name': 'Colour'}, 'red'), E('param', {'name': 'Size'}, 'L')) for p in ps]
    body = E('yml_catalog', {'date': '2026-02-01 17:22'}, E('shop', E('name', 'S'), E('currencies', E('currency', {'id': 'EUR', 'rate': '1'})),
             E('categories', [E('category', {'id': str(i)}, f'Cat {i}') for i in range(1, 40)]), E('offers', offers)))
    top = DECL + ('<!DOCTYPE yml_catalog SYSTEM "shops.dtd">\n' if doctype else '')
    return doc('xml', 'yandex' + ('-doctype' if doctype else ''), top + xml(body, pretty=True), n,
               {**col(ps, 'sku', 'price', 'title', 'gtin', 'qty', 'live')}, **({'mayRefuse': True} if doctype else {}))


def idealo_variants(r, n):
    ps = products(r, n, 1, 4)
    items = [E('product', {'id': p.id}, E('name', p.title), E('brand', p.brand), E('category', p.cat),
               E('variants', [E('variant', {'sku': v.sku}, E('ean', v.gtin), E('size', v.size), E('price', {'currency': 'EUR'}, v.price), E('stock', v.qty)) for v in p.variants]))
             for p in ps]
    return doc('xml', 'idealo-variants', DECL + xml(E('catalog', E('created', '2026-01-01'), E('products', items)), pretty=True), len(pairs(ps)),
               vcol(ps, ['sku', 'gtin', 'size', 'price', 'qty'], ['id', 'title', 'brand', 'cat']))


def some_without_variants(r, n):
    ps = [Product(r, i, [0, 3, 1, 0, 2][i % 5]) for i in range(n)]
    items = [E('Product', E('Code', p.sku), E('Name', p.title), E('Price', p.price),
               E('Variants', [E('Variant', E('VariantCode', v.sku), E('Stock', v.qty), E('Barcode', v.gtin)) for v in p.variants]) if p.variants else None)
             for p in ps]
    return doc('xml', 'some-without-variants', DECL + xml(E('Products', items), pretty=True), len(pairs(ps)),
               vcol(ps, ['sku', 'qty', 'gtin'], ['sku', 'title', 'price']))


def flat_variants(r, n):
    """Variants directly under the product, without an element around them."""
    ps = products(r, n, 1, 5)
    items = [E('article', {'no': p.sku}, E('name', p.title), E('brand', p.brand),
               [E('sku', {'code': v.sku, 'ean': v.gtin, 'size': v.size, 'qty': v.qty}) for v in p.variants]) for p in ps]
    return doc('xml', 'flat-variants', xml(E('articles', items)), len(pairs(ps)), vcol(ps, ['sku', 'gtin', 'size', 'qty'], ['sku', 'title', 'brand']))


def prestashop(r, n):
    ps = products(r, n)
    x = 'http://www.w3.org/1999/xlink'
    items = [E('product', E('id', CD(p.id)), E('id_manufacturer', {'xlink:href': f'https://s.example/api/manufacturers/{p.n}'}, CD(str(p.n))),
               E('reference', CD(p.sku)), E('ean13', CD(p.gtin)), E('price', CD(p.price + '0000')),
               E('name', E('language', {'id': '1', 'xlink:href': 'https://s.example/api/languages/1'}, CD(p.title)), E('language', {'id': '2'}, CD('FR ' + p.title))),
               E('associations', E('categories', {'nodeType': 'category', 'api': 'categories'}, [E('category', {'xlink:href': 'https://x.example'}, E('id', CD(str(k)))) for k in (2, 5, 9)]),
                 E('stock_availables', E('stock_available', E('id', CD(str(p.n + 5))), E('id_product_attribute', CD('0')))))) for p in ps]
    return doc('xml', 'prestashop', DECL + xml(E('prestashop', {'xmlns:xlink': x}, E('products', items)), pretty=True), n,
               {**col(ps, 'id', 'sku', 'gtin'), 'price': [p.price + '0000' for p in ps], 'title': [{'has': [p.title]} for p in ps]})


def magento_soap(r, n):
    ps = products(r, n)
    items = [E('item', {'xsi:type': 'ns1:catalogProductEntity'}, E('product_id', {'xsi:type': 'xsd:string'}, p.id), E('sku', {'xsi:type': 'xsd:string'}, p.sku),
               E('name', {'xsi:type': 'xsd:string'}, p.title), E('set', {'xsi:type': 'xsd:string'}, '4'),
               E('category_ids', {'SOAP-ENC:arrayType': 'xsd:string[2]'}, E('item', {'xsi:type': 'xsd:string'}, '2'), E('item', {'xsi:type': 'xsd:string'}, '3'))) for p in ps]
    ns = {'xmlns:SOAP-ENV': 'http://schemas.xmlsoap.org/soap/envelope/', 'xmlns:ns1': 'urn:Magento', 'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance', 'xmlns:SOAP-ENC': 'http://schemas.xmlsoap.org/soap/encoding/', 'xmlns:xsd': 'x'}
    body = E('SOAP-ENV:Envelope', ns, E('SOAP-ENV:Body', E('ns1:catalogProductListResponse', E('storeView', {'SOAP-ENC:arrayType': f'ns1:catalogProductEntity[{n}]'}, items))))
    return doc('xml', 'magento-soap', DECL + xml(body), n, {**col(ps, 'id', 'sku', 'title'), 'categories': [['2', '3'] for _ in ps]})


def amazon_feed(r, n):
    ps = products(r, n)
    items = [E('Message', E('MessageID', str(p.n + 1)), E('OperationType', 'Update'), E('Product', E('SKU', p.sku), E('StandardProductID', E('Type', 'EAN'), E('Value', p.gtin)),
               E('DescriptionData', E('Title', p.title), E('Brand', p.brand), [E('BulletPoint', t) for t in p.tags], E('MSRP', {'currency': 'EUR'}, p.price)))) for p in ps]
    body = E('AmazonEnvelope', {'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance', 'xsi:noNamespaceSchemaLocation': 'amzn-envelope.xsd'},
             E('Header', E('DocumentVersion', '1.01'), E('MerchantIdentifier', 'M_X')), E('MessageType', 'Product'), E('PurgeAndReplace', 'false'), items)
    return doc('xml', 'amazon-feed', DECL + xml(body, pretty=True), n, {**col(ps, 'sku', 'gtin', 'title', 'brand', 'price'), 'bullets': [p.tags for p in ps]})


def bmecat(r, n, ver):
    """Groups outnumber articles; prices, features and pictures repeat within an article."""
    ps = products(r, n)
    new = ver == '2005'
    art, pid, more = ('PRODUCT', 'SUPPLIER_PID', {'xmlns': 'http://www.bmecat.org/bmecat/2005'}) if new else ('ARTICLE', 'SUPPLIER_AID', {})
    items = [E(art, {'mode': 'new'}, E(pid, p.sku), E(f'{art}_DETAILS', E('DESCRIPTION_SHORT', p.title), E('DESCRIPTION_LONG', p.desc), E('INTERNATIONAL_PID', {'type': 'ean'}, p.gtin) if new else E('EAN', p.gtin),
               [E('KEYWORD', t) for t in p.tags]),
               E(f'{art}_FEATURES', E('REFERENCE_FEATURE_SYSTEM_NAME', 'ECLASS-8.1'), [E('FEATURE', E('FNAME', f'F{k}'), E('FVALUE', str(k * p.n)), E('FUNIT', 'mm')) for k in range(1, 7)]),
               E(f'{art}_ORDER_DETAILS', E('ORDER_UNIT', 'C62'), E('QUANTITY_MIN', str(p.n + 1))),
               E(f'{art}_PRICE_DETAILS', E(f'{art}_PRICE', {'price_type': 'net_customer'}, E('PRICE_AMOUNT', p.price), E('PRICE_CURRENCY', 'EUR'), E('LOWER_BOUND', '1'))),
               E('MIME_INFO', [E('MIME', E('MIME_TYPE', 'image/jpeg'), E('MIME_SOURCE', f'{p.id}_{k}.jpg')) for k in range(3)])) for p in ps]
    groups = [E('CATALOG_STRUCTURE', {'type': 'leaf'}, E('GROUP_ID', str(i)), E('GROUP_NAME', f'Group {i}'), E('PARENT_ID', '1')) for i in range(2, n + 25)]
    maps = [E(f'{art}_TO_CATALOGGROUP_MAP', E('PROD_ID' if new else 'ART_ID', p.sku), E('CATALOG_GROUP_ID', '7')) for p in ps]
    body = E('BMECAT', {'version': ver, **more}, E('HEADER', E('CATALOG', E('LANGUAGE', 'deu'), E('CATALOG_ID', 'C1')), E('SUPPLIER', E('SUPPLIER_NAME', 'Färber'))),
             E('T_NEW_CATALOG', E('CATALOG_GROUP_SYSTEM', groups), items, maps))
    return doc('xml', 'bmecat-' + ver, DECL + xml(body, pretty=True), n, {**col(ps, 'sku', 'title', 'desc', 'gtin', 'price'), 'keywords': [p.tags for p in ps], 'min': [str(p.n + 1) for p in ps]})


def cxml(r, n):
    ps = products(r, n)
    items = [E('IndexItemAdd', E('IndexItem', {}), E('ItemID', E('SupplierPartID', p.sku)), E('ItemDetail', E('UnitPrice', E('Money', {'currency': 'EUR'}, p.price)), E('Description', {'xml:lang': 'en'}, p.title), E('UnitOfMeasure', 'EA'), E('Classification', {'domain': 'UNSPSC'}, '441216'))) for p in ps]
    body = E('Index', E('SupplierID', {'domain': 'DUNS'}, '942888711'), E('IndexItem', items))
    return doc('xml', 'cxml-index', DECL + '<!DOCTYPE Index SYSTEM "http://xml.cxml.org/schemas/cXML/1.2.014/cXML.dtd">\n' + xml(body, pretty=True), n, col(ps, 'sku', 'price', 'title'), mayRefuse=True)


def ubl(r, n):
    ps = products(r, n)
    ns = {'xmlns': 'urn:oasis:names:specification:ubl:schema:xsd:Catalogue-2', 'xmlns:cac': 'urn:a', 'xmlns:cbc': 'urn:b'}
    lines = [E('cac:CatalogueLine', E('cbc:ID', str(p.n + 1)), E('cbc:ActionCode', 'Add'), E('cbc:OrderableUnit', 'C62'),
               E('cac:RequiredItemLocationQuantity', E('cac:Price', E('cbc:PriceAmount', {'currencyID': 'EUR'}, p.price), E('cbc:BaseQuantity', {'unitCode': 'C62'}, '1'))),
               E('cac:Item', E('cbc:Name', p.title), [E('cbc:Keyword', t) for t in p.tags], E('cac:SellersItemIdentification', E('cbc:ID', p.sku)), E('cac:StandardItemIdentification', E('cbc:ID', {'schemeID': '0160'}, p.gtin)),
                 [E('cac:AdditionalItemProperty', E('cbc:Name', f'N{k}'), E('cbc:Value', f'V{k}-{p.n}')) for k in range(4)])) for p in ps]
    body = E('Catalogue', ns, E('cbc:UBLVersionID', '2.1'), E('cbc:ID', '1387'), E('cac:ProviderParty', E('cbc:EndpointID', '123')), lines)
    return doc('xml', 'peppol-catalogue', DECL + xml(body, pretty=True), n, col(ps, 'sku', 'price', 'title', 'gtin'))


def icecat(r, n):
    ps = products(r, n)
    files = [E('file', {'path': f'export/level4/EN/{p.id}.xml', 'Product_ID': p.id, 'Prod_ID': p.sku, 'Catid': '151', 'Model_Name': p.title, 'On_Market': '1'},
               E('M_Prod_ID', p.sku + '/M'), E('EAN_UPCS', [E('EAN_UPC', {'Value': g}) for g in [p.gtin, '1' + p.gtin[1:]][: 1 + p.n % 2]])) for p in ps]
    return doc('xml', 'icecat-index', DECL + xml(E('ICECAT-interface', {'xsi:schema': 'x', 'xmlns:xsi': 'y'}, E('files.index', {'Generated': '20260101'}, files)), pretty=True), n,
               {**col(ps, 'id', 'sku', 'title'), 'gtin': [[p.gtin, '1' + p.gtin[1:]][: 1 + p.n % 2] for p in ps]})


def attributes_only(r, n, root='ROWS'):
    ps = products(r, n)
    items = [E('R', {'SKU': p.sku, 'NAME': p.title, 'QTY': p.qty, 'PRICE': p.price, 'EAN': p.gtin}) for p in ps]
    return doc('xml', 'attributes-only', "<?xml version='1.0'?>" + xml(E(root, items), quote="'"), n, col(ps, 'sku', 'title', 'qty', 'price', 'gtin'))
