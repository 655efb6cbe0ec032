"""Catalogues and dumps of ERP systems, and the standards between businesses."""
from records.catalogue import draw_categories, draw_products
from records.files import File, json_file, kind, xml_file
from records.json_text import Number
from records.truth import simple_table
from records.xml_tree import Style, e, flatten, write_xml

XSI = {'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance'}


def bmecat_article(product, names):
    article, details, features, orders, prices, price, key = names
    return e(
        article,
        e(key, product.sku),
        e(
            details,
            e('DESCRIPTION_SHORT', product.name),
            e('DESCRIPTION_LONG', product.description),
            e('EAN', product.ean),
            e('MANUFACTURER_NAME', product.brand),
        ),
        e(
            features,
            e('REFERENCE_FEATURE_SYSTEM_NAME', 'ECLASS-5.1'),
            e('REFERENCE_FEATURE_GROUP_ID', '27142103'),
            e('FEATURE', e('FNAME', 'Farbe'), e('FVALUE', 'grün')),
            e('FEATURE', e('FNAME', 'Gewicht'), e('FVALUE', product.weight), e('FUNIT', 'kg')),
        ),
        e(orders, e('ORDER_UNIT', 'C62'), e('CONTENT_UNIT', 'C62'), e('QUANTITY_MIN', '1')),
        e(
            prices,
            e('DATETIME', {'type': 'valid_start_date'}, e('DATE', '2026-01-01')),
            e(
                price,
                {'price_type': 'net_list'},
                e('PRICE_AMOUNT', product.price),
                e('PRICE_CURRENCY', 'EUR'),
                e('TAX', '0.19'),
            ),
        ),
        e(
            'MIME_INFO',
            [
                e('MIME', e('MIME_TYPE', 'image/jpeg'), e('MIME_SOURCE', image.rpartition('/')[2]))
                for image in product.images
            ],
        ),
    )


OLD_NAMES = (
    'ARTICLE',
    'ARTICLE_DETAILS',
    'ARTICLE_FEATURES',
    'ARTICLE_ORDER_DETAILS',
    'ARTICLE_PRICE_DETAILS',
    'ARTICLE_PRICE',
    'SUPPLIER_AID',
)
NEW_NAMES = (
    'PRODUCT',
    'PRODUCT_DETAILS',
    'PRODUCT_FEATURES',
    'PRODUCT_ORDER_DETAILS',
    'PRODUCT_PRICE_DETAILS',
    'PRODUCT_PRICE',
    'SUPPLIER_PID',
)


def bmecat(random, names, version, products):
    groups = e(
        'CATALOG_GROUP_SYSTEM',
        e('GROUP_SYSTEM_ID', 'A'),
        [
            e(
                'CATALOG_STRUCTURE',
                {'type': 'node' if parent else 'root'},
                e('GROUP_ID', id),
                e('GROUP_NAME', name),
                e('PARENT_ID', parent or '0'),
                e('GROUP_ORDER', id),
            )
            for id, parent, name in draw_categories(random)
        ],
    )
    article = names[0]
    mappings = [
        e(
            f'{article}_TO_CATALOGGROUP_MAP',
            e('ART_ID' if article == 'ARTICLE' else 'PROD_ID', product.sku),
            e('CATALOG_GROUP_ID', '2'),
        )
        for product in products
    ]
    header = e(
        'HEADER',
        e('GENERATOR_INFO', 'Alpina PIM 4.2'),
        e(
            'CATALOG',
            e('LANGUAGE', 'deu'),
            e('CATALOG_ID', 'K2026'),
            e('CATALOG_VERSION', '001.003'),
            e('CURRENCY', 'EUR'),
        ),
        e('BUYER', e('BUYER_NAME', 'Cedro')),
        e('SUPPLIER', e('SUPPLIER_NAME', 'Alpina')),
    )
    return e(
        'BMECAT',
        {'version': version, 'xmlns': f'http://www.bmecat.org/bmecat/{version}'},
        header,
        e('T_NEW_CATALOG', groups, [bmecat_article(product, names) for product in products], mappings),
    )


def bmecat_file(random, names, version, **options):
    root = bmecat(random, names, version, draw_products(random, options.pop('count', None)))
    path = ['BMECAT', 'T_NEW_CATALOG', names[0]]
    file = xml_file(random, root, path, **options)
    file.tables.append(flatten(root, path, by={names[5]: 'price_type'}))
    for table in file.tables:
        for column in table.columns:
            column.is_optional |= column.attribute == 'price_type'
    return file


@kind
def bmecat_1_2(random):
    return bmecat_file(random, OLD_NAMES, '1.2', style=Style(encoding='iso-8859-1', declared='ISO-8859-1'))


@kind
def bmecat_1_2_with_a_doctype(random):
    before = '<!DOCTYPE BMECAT SYSTEM "bmecat_new_catalog_1_2.dtd">\n'
    return bmecat_file(random, OLD_NAMES, '1.2', style=Style(), before=before, is_ambiguous=True)


@kind
def bmecat_2005(random):
    return bmecat_file(random, NEW_NAMES, '2005')


@kind
def bmecat_with_few_products(random):
    """Groups and assignments are more than products."""
    return bmecat_file(random, NEW_NAMES, '2005.1', count=3)


@kind
def opentrans_order(random):
    items = [
        e(
            'ORDER_ITEM',
            e('LINE_ITEM_ID', str(at)),
            e(
                'PRODUCT_ID',
                e('SUPPLIER_PID', {'type': 'supplier_specific'}, product.sku),
                e('INTERNATIONAL_PID', {'type': 'ean'}, product.ean),
                e('DESCRIPTION_SHORT', product.name),
            ),
            e('QUANTITY', product.qty),
            e('ORDER_UNIT', 'PCE'),
            e('PRODUCT_PRICE_FIX', e('PRICE_AMOUNT', product.price)),
        )
        for at, product in enumerate(draw_products(random), 1)
    ]
    root = e(
        'ORDER',
        {'xmlns': 'http://www.opentrans.org/XMLSchema/2.1', 'version': '2.1', 'type': 'standard'},
        e(
            'ORDER_HEADER',
            e(
                'ORDER_INFO',
                e('ORDER_ID', '4711'),
                e('PARTIES', e('PARTY', e('PARTY_ID', '1')), e('PARTY', e('PARTY_ID', '2'))),
            ),
        ),
        e('ORDER_ITEM_LIST', items),
        e('ORDER_SUMMARY', e('TOTAL_ITEM_NUM', str(len(items)))),
    )
    return xml_file(random, root, ['ORDER', 'ORDER_ITEM_LIST', 'ORDER_ITEM'])


@kind
def cxml_index(random):
    """Its standard asks for a document type."""
    items = [
        e(
            'IndexItem',
            e(
                'IndexItemAdd',
                e('ItemID', e('SupplierPartID', product.sku), e('SupplierPartAuxiliaryID', f'{product.sku}/1')),
                e(
                    'ItemDetail',
                    e('UnitPrice', e('Money', {'currency': 'USD'}, product.price)),
                    e('Description', {'xml:lang': 'en'}, product.name),
                    e('UnitOfMeasure', 'EA'),
                    e('Classification', {'domain': 'UNSPSC'}, '53111600'),
                    e('ManufacturerName', product.brand),
                ),
                e('IndexItemDetail', e('LeadTime', '2')),
            ),
        )
        for product in draw_products(random)
    ]
    root = e(
        'cXML',
        {'payloadID': '1@alpina.example', 'timestamp': '2026-11-25T06:30:00+00:00'},
        e(
            'Header',
            e('From', e('Credential', {'domain': 'DUNS'}, e('Identity', '942888711'))),
            e('To', e('Credential', {'domain': 'DUNS'}, e('Identity', '1'))),
        ),
        e('Message', e('Index', e('SupplierID', {'domain': 'DUNS'}, '942888711'), items)),
    )
    before = '<!DOCTYPE cXML SYSTEM "http://xml.cxml.org/schemas/cXML/1.2.020/Catalog.dtd">\n'
    return xml_file(random, root, ['cXML', 'Message', 'Index', 'IndexItem'], before=before, is_ambiguous=True)


@kind
def ubl_catalogue(random):
    lines = [
        e(
            'cac:CatalogueLine',
            e('cbc:ID', str(at)),
            e('cbc:ActionCode', 'Add'),
            e('cbc:OrderableUnit', 'C62'),
            e(
                'cac:RequiredItemLocationQuantity',
                e('cbc:LeadTimeMeasure', {'unitCode': 'DAY'}, '2'),
                e('cac:Price', e('cbc:PriceAmount', {'currencyID': 'EUR'}, product.price)),
            ),
            e(
                'cac:Item',
                e('cbc:Name', product.name),
                e('cac:SellersItemIdentification', e('cbc:ID', product.sku)),
                e('cac:StandardItemIdentification', e('cbc:ID', {'schemeID': '0160'}, product.ean)),
            ),
        )
        for at, product in enumerate(draw_products(random), 1)
    ]
    names = {
        'xmlns': 'urn:oasis:names:specification:ubl:schema:xsd:Catalogue-2',
        'xmlns:cac': 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2',
        'xmlns:cbc': 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2',
    }
    root = e(
        'Catalogue',
        names,
        e('cbc:ID', 'K1'),
        e('cbc:IssueDate', '2026-11-25'),
        e('cac:ProviderParty', e('cbc:EndpointID', {'schemeID': '0088'}, '4000001')),
        lines,
    )
    return xml_file(random, root, ['Catalogue', 'cac:CatalogueLine'])


@kind
def gs1_inventory_report(random):
    items = [
        e(
            'inventoryItemLocationInformation',
            e('inventoryLocation', e('gln', '4012345000009')),
            e('transactionalTradeItem', e('gtin', f'0{product.ean}')),
            e(
                'inventoryStatusLineItem',
                e('lineItemNumber', str(at)),
                e(
                    'inventoryStatusQuantitySpecification',
                    e('quantityOfUnits', {'measurementUnitCode': 'C62'}, product.qty),
                ),
            ),
        )
        for at, product in enumerate(draw_products(random), 1)
    ]
    root = e(
        'ns:inventoryReportMessage',
        {'xmlns:ns': 'urn:gs1:ecom:inventory_report:xsd:3'},
        e(
            'inventoryReport',
            e('creationDateTime', '2026-11-25T06:30:00Z'),
            e('documentStatusCode', 'ORIGINAL'),
            items,
        ),
    )
    return xml_file(
        random, root, ['ns:inventoryReportMessage', 'inventoryReport', 'inventoryItemLocationInformation']
    )


@kind
def etim_xchange(random):
    products = [
        {
            'ProductIdentification': {'ManufacturerProductNumber': product.sku, 'ProductGTIN': [product.ean]},
            'ProductDetails': {
                'ProductStatus': 'ACTIVE',
                'CustomsCommodityCode': '64039993',
                'ProductDescriptions': [{'DescriptionLanguage': 'en-GB', 'MinimalProductDescription': product.name}],
            },
            'TradeItem': [
                {
                    'ItemIdentification': {'SupplierItemNumber': f'{product.sku}-{pack}', 'ItemGTIN': [product.ean]},
                    'Ordering': {'OrderUnit': 'C62', 'MinimumOrderQuantity': pack},
                    'Pricing': [{'PriceUnit': 'C62', 'GrossListPrice': product.price}],
                }
                for pack in ('1', '10')
            ],
        }
        for product in draw_products(random, 5)
    ]
    value = {
        'CatalogueId': 'K1',
        'CatalogueName': [{'CatalogueNameLanguage': 'en-GB'}],
        'Language': ['en-GB', 'de-DE'],
        'Supplier': [{'SupplierName': 'Alpina', 'Product': products}],
    }
    path = ['Supplier', 'Product']
    file = json_file(random, value, path, ['TradeItem'])
    table = file.tables[0]
    supplier = table.column('Supplier', 'SupplierName', is_optional=True)
    for row in table.rows:
        row[supplier] = None
    # The supplier may be a record whose products are variants, but then their items have no rows.
    return file


@kind
def sap_idocs(random):
    idocs = [
        e(
            'IDOC',
            {'BEGIN': '1'},
            e('EDI_DC40', {'SEGMENT': '1'}, e('TABNAM', 'EDI_DC40'), e('DOCNUM', f'{at:016}'), e('MESTYP', 'MATMAS')),
            e(
                'E1MARAM',
                {'SEGMENT': '1'},
                e('MATNR', f'{int(product.id):018}'),
                e('MTART', 'HAWA'),
                e('EAN11', product.ean),
                e('BRGEW', product.weight),
                e('E1MAKTM', {'SEGMENT': '1'}, e('SPRAS', 'E'), e('MAKTX', product.name)),
            ),
        )
        for at, product in enumerate(draw_products(random), 1)
    ]
    return xml_file(random, e('MATMAS05', idocs), ['MATMAS05', 'IDOC'], style=Style(indent=None))


@kind
def sap_table(random):
    items = [
        e(
            'item',
            e('MATNR', f'{int(product.id):018}'),
            e('MAKTX', product.name),
            e('LABST', f'{product.qty}.000'),
            e('MEINS', 'ST'),
            e('WERKS', '1000'),
        )
        for product in draw_products(random)
    ]
    root = e(
        'asx:abap', {'xmlns:asx': 'http://www.sap.com/abapxml', 'version': '1.0'}, e('asx:values', e('STOCK', items))
    )
    return xml_file(
        random, root, ['asx:abap', 'asx:values', 'STOCK', 'item'], style=Style(has_mark=True, indent=None)
    )


@kind
def navision_xmlport(random):
    """As it writes by default: UTF-16."""
    items = [
        e(
            'Item',
            e('No_', product.sku),
            e('Description', product.name),
            e('Inventory', product.qty),
            e('Unit_Price', product.price.replace('.', ',')),
            e('Blocked', 'No'),
            e('Vendor_Item_No_'),
        )
        for product in draw_products(random)
    ]
    return xml_file(
        random, e('Root', items), ['Root', 'Item'], style=Style(encoding='utf-16', declared='UTF-16', newline='\r\n')
    )


@kind
def navision_nested(random):
    items = [
        e(
            'Item',
            {'No': product.sku},
            e('Description', product.name),
            e('ItemVariant', e('Code', 'ROT'), e('Inventory', product.qty), e('UnitPrice', product.price)),
            e('ItemVariant', e('Code', 'BLAU'), e('Inventory', '3'), e('UnitPrice', product.price)),
            e('Unit_of_Measure', 'STÜCK'),
        )
        for product in draw_products(random, 5)
    ]
    return xml_file(
        random,
        e('Items', {'xmlns': 'urn:microsoft-dynamics-nav/xmlports/x50000'}, items),
        ['Items', 'Item'],
        ['ItemVariant'],
    )


@kind
def business_central_odata(random):
    value = [
        {
            '@odata.etag': f'W/"JzQ0O{product.id}=="',
            'id': f'{int(product.id):08x}-0000-4000-8000-000000000000',
            'number': product.sku,
            'displayName': product.name,
            'blocked': False,
            'gtin': product.ean,
            'inventory': Number(product.qty),
            'unitPrice': Number(product.price),
            'lastModifiedDateTime': product.updated,
        }
        for product in draw_products(random)
    ]
    return json_file(
        random, {'@odata.context': 'https://api.example/v2.0/$metadata#companies(1)/items', 'value': value}, ['value']
    )


@kind
def dynamics_ax(random):
    entities = [
        e(
            'InventTable',
            {'class': 'entity'},
            e('ItemId', product.sku),
            e('NameAlias', product.name),
            e('NetWeight', product.weight),
            e('AvailPhysical', product.qty),
        )
        for product in draw_products(random)
    ]
    root = e(
        'Envelope',
        {'xmlns': 'http://schemas.microsoft.com/dynamics/2011/01/documents/Message'},
        e('Header', e('Company', 'dat'), e('Action', 'read')),
        e(
            'Body',
            e(
                'MessageParts',
                e('Items', {'xmlns': 'http://schemas.microsoft.com/dynamics/2008/01/documents/Items'}, entities),
            ),
        ),
    )
    return xml_file(random, root, ['Envelope', 'Body', 'MessageParts', 'Items', 'InventTable'])


@kind
def sage_products(random):
    products = [
        e(
            'Product',
            e('Sku', product.sku),
            e('Name', product.name),
            e('Description', product.description),
            e('QtyInStock', product.qty),
            e('SalePrice', product.price),
            e('TaxCode', 'T1'),
            e('Publish', 'TRUE'),
        )
        for product in draw_products(random)
    ]
    return xml_file(random, e('Company', {**XSI}, e('Products', products)), ['Company', 'Products', 'Product'])


@kind
def odoo_json_rpc(random):
    """A link is a pair of a number and a name, and an empty text is false."""
    result = [
        {
            'id': Number(product.id),
            'default_code': product.sku,
            'name': product.name,
            'list_price': Number(product.price),
            'qty_available': Number(f'{product.qty}.0'),
            'categ_id': [Number(4), product.category],
            'barcode': product.ean if at % 2 else False,
            'seller_ids': [Number(12)] if at % 3 else [],
        }
        for at, product in enumerate(draw_products(random))
    ]
    return json_file(random, {'jsonrpc': '2.0', 'id': Number(1), 'result': result}, ['result'])


def member(name, value, kind='string'):
    return e('member', e('name', name), e('value', e(kind, value)))


@kind
def odoo_xml_rpc(random):
    """Names and values stand beside each other: a reader that does not know it has to refuse."""
    products = draw_products(random)
    values = [
        e(
            'value',
            e(
                'struct',
                member('default_code', product.sku),
                member('name', product.name),
                member('qty_available', product.qty, 'double'),
            ),
        )
        for product in products
    ]
    root = e('methodResponse', e('params', e('param', e('value', e('array', e('data', values))))))
    rows = [{'default_code': product.sku, 'name': product.name, 'qty_available': product.qty} for product in products]
    return File(write_xml(root, Style()), 'xml', [simple_table(rows)], is_ambiguous=True, is_checked=False)


@kind
def odoo_data_file(random):
    records = [
        e(
            'record',
            {'id': f'product_{product.id}', 'model': 'product.product'},
            e('field', product.sku, name='default_code'),
            e('field', product.name, name='name'),
            e('field', product.price, name='list_price'),
            e('field', {'name': 'categ_id', 'ref': 'product.cat_1'}),
        )
        for product in draw_products(random)
    ]
    file = xml_file(
        random, e('odoo', e('data', {'noupdate': '1'}, records)), ['odoo', 'data', 'record'], by={'field': 'name'}
    )
    # A field with nothing but a reference may have it as its value.
    for column in file.tables[0].columns:
        column.is_optional |= column.attribute == 'ref'
    return file


@kind
def commerceml_catalogue(random):
    """Names in Cyrillic, from 1C."""
    goods = [
        e(
            'Товар',
            e('Ид', f'bd72d90{product.id}'),
            e('Артикул', product.sku),
            e('Наименование', product.name),
            e('БазоваяЕдиница', {'Код': '796', 'НаименованиеПолное': 'Штука'}, 'шт'),
            e('Группы', e('Ид', 'g-1')),
            e(
                'ЗначенияРеквизитов',
                [
                    e('ЗначениеРеквизита', e('Наименование', name), e('Значение', value))
                    for name, value in (('Вес', product.weight), ('ТипНоменклатуры', 'Товар'))
                ],
            ),
        )
        for product in draw_products(random)
    ]
    groups = [e('Группа', e('Ид', f'g-{id}'), e('Наименование', name)) for id, _, name in draw_categories(random)]
    root = e(
        'КоммерческаяИнформация',
        {'ВерсияСхемы': '2.04', 'ДатаФормирования': '2026-11-25'},
        e('Классификатор', e('Ид', 'k-1'), e('Группы', groups)),
        e('Каталог', {'СодержитТолькоИзменения': 'false'}, e('Ид', 'c-1'), e('Товары', goods)),
    )
    style = Style(encoding=random.choice(['utf-8', 'windows-1251']), has_mark=False)
    style.declared = style.encoding
    return xml_file(random, root, ['КоммерческаяИнформация', 'Каталог', 'Товары', 'Товар'], style=style)


@kind
def commerceml_offers(random):
    """The stock of each warehouse as an element without a text."""
    offers = [
        e(
            'Предложение',
            e('Ид', f'bd72d90{product.id}'),
            e('Наименование', product.name),
            e('Цены', e('Цена', e('ИдТипаЦены', 'p-1'), e('ЦенаЗаЕдиницу', product.price), e('Валюта', 'руб'))),
            e('Количество', product.qty),
            [e('Склад', {'ИдСклада': f'w-{at}', 'КоличествоНаСкладе': str(at)}) for at in (1, 2)],
        )
        for product in draw_products(random)
    ]
    root = e(
        'КоммерческаяИнформация',
        {'ВерсияСхемы': '2.04'},
        e('ПакетПредложений', e('Ид', 'c-1#'), e('Предложения', offers)),
    )
    path = ['КоммерческаяИнформация', 'ПакетПредложений', 'Предложения', 'Предложение']
    file = xml_file(random, root, path, style=Style())
    file.tables.append(flatten(root, path, by={'Склад': 'ИдСклада'}))
    return file


@kind
def icecat_index(random):
    """Attributes alone, below a document type."""
    files = [
        e(
            'file',
            {
                'path': f'export/freexml/EN/{product.id}.xml',
                'Product_ID': product.id,
                'Updated': '20261125063000',
                'Supplier_id': '1',
                'Prod_ID': product.sku,
                'Model_Name': product.name,
                'On_Market': '1',
            },
            e('EAN_UPCS', e('EAN_UPC', {'Value': product.ean, 'Format': 'EAN-13'})),
        )
        for product in draw_products(random)
    ]
    root = e(
        'ICECAT-interface',
        {**XSI, 'xsi:noNamespaceSchemaLocation': 'https://data.icecat.biz/xsd/files.index.xsd'},
        e('files.index', {'Generated': '20261125071700'}, files),
    )
    return xml_file(random, root, ['ICECAT-interface', 'files.index', 'file'])


@kind
def netsuite_items(random):
    items = [
        {
            'links': [{'rel': 'self', 'href': f'https://1.suitetalk.example/item/{product.id}'}],
            'id': product.id,
            'itemid': product.sku,
            'displayname': product.name,
            'quantityavailable': product.qty,
        }
        for product in draw_products(random)
    ]
    value = {
        'links': [
            {'rel': 'next', 'href': 'https://1.suitetalk.example/?offset=5'},
            {'rel': 'last', 'href': 'https://1.suitetalk.example/?offset=9'},
        ],
        'count': Number(len(items)),
        'hasMore': False,
        'items': items,
        'offset': Number(0),
        'totalResults': Number(len(items)),
    }
    return json_file(random, value, ['items'])


@kind
def microtech_articles(random):
    """Old German programs: capital names, decimal commas, Windows' letters."""
    articles = [
        e(
            'ARTIKEL',
            e('ARTNR', product.sku),
            e('BEZ1', f'{product.name}'),
            e('BEZ2', 'Größe übersehen'),
            e('VK1', product.price.replace('.', ',')),
            e('BESTAND', product.qty),
            e('EANNR', product.ean),
            e('WGR'),
        )
        for product in draw_products(random)
    ]
    return xml_file(
        random,
        e('WARENWIRTSCHAFT', e('EXPORT', e('DATUM', '25.11.2026')), e('ARTIKELSTAMM', articles)),
        ['WARENWIRTSCHAFT', 'ARTIKELSTAMM', 'ARTIKEL'],
        style=Style(encoding='windows-1252', declared='windows-1252', newline='\r\n'),
    )


@kind
def x12_inventory_as_xml(random):
    """Segments with numbers for names."""
    loops = [
        e(
            'Loop-LIN',
            e(
                'LIN',
                e('LIN01', str(at)),
                e('LIN02', 'VN'),
                e('LIN03', product.sku),
                e('LIN04', 'UP'),
                e('LIN05', product.ean),
            ),
            e('QTY', e('QTY01', '33'), e('QTY02', product.qty)),
        )
        for at, product in enumerate(draw_products(random), 1)
    ]
    root = e(
        'Interchange',
        e('ISA', e('ISA06', 'ALPINA'), e('ISA08', 'CEDRO')),
        e('TS-846', e('BIA', e('BIA01', '00')), loops, e('CTT', e('CTT01', str(len(loops))))),
    )
    return xml_file(random, root, ['Interchange', 'TS-846', 'Loop-LIN'])
