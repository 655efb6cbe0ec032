"""Feeds for search engines, marketplaces and comparison sites."""
from records.catalogue import draw_categories, draw_products
from records.files import File, kind, text_file, xml_file
from records.xml_tree import Style, e, flatten, write_xml

GOOGLE = {'version': '2.0', 'xmlns:g': 'http://base.google.com/ns/1.0'}


def google_item(product, title='g:title'):
    return [
        e('g:id', product.sku),
        e(title, product.name),
        e('g:link', product.url),
        e('g:image_link', product.images[0]),
        [e('g:additional_image_link', image) for image in product.images[1:]],
        e('g:price', f'{product.price} EUR'),
        e('g:availability', 'in_stock' if product.qty != '0' else 'out_of_stock'),
        e('g:gtin', product.ean),
        e('g:brand', product.brand),
    ]


def rss(items, *ahead):
    channel = e('channel', e('title', 'Alpina'), e('link', 'https://shop.example/'), *ahead, items)
    return e('rss', GOOGLE, channel)


@kind
def google_rss(random):
    items = [e('item', google_item(product)) for product in draw_products(random)]
    return xml_file(random, rss(items, e('description', 'All products')), ['rss', 'channel', 'item'])


@kind
def google_rss_with_shipping(random):
    """Groups that are many in some items: they are no variants."""
    items = []
    for product in draw_products(random):
        shipping = [
            e('g:shipping', e('g:country', country), e('g:service', 'Standard'), e('g:price', f'{at + 4}.90 EUR'))
            for at, country in enumerate(random.sample(['DE', 'AT', 'CH', 'FR'], random.randrange(1, 4)))
        ]
        items.append(e('item', google_item(product), shipping, e('g:quantity', product.qty)))
    return xml_file(random, rss(items), ['rss', 'channel', 'item'])


@kind
def google_rss_in_cdata(random):
    items = [
        e(
            'item',
            google_item(product, 'title'),
            e('description', f'<p>{product.description}</p><ul><li>A &amp; B</li></ul>'),
        )
        for product in draw_products(random)
    ]
    return xml_file(random, rss(items), ['rss', 'channel', 'item'], style=Style(has_cdata=True))


@kind
def google_rss_with_both_titles(random):
    """Names that are the same but for their prefixes."""
    items = [
        e('item', e('title', f'{product.name} | Alpina'), e('link', product.url), google_item(product))
        for product in draw_products(random)
    ]
    return xml_file(random, rss(items), ['rss', 'channel', 'item'])


@kind
def google_atom(random):
    entries = [
        e(
            'entry',
            e('title', product.name),
            e('link', href=product.url),
            e('summary', product.description),
            google_item(product)[3:],
        )
        for product in draw_products(random)
    ]
    feed = e(
        'feed',
        {'xmlns': 'http://www.w3.org/2005/Atom', 'xmlns:g': GOOGLE['xmlns:g']},
        e('title', 'Alpina'),
        e('link', rel='self', href='https://shop.example/feed.xml'),
        e('updated', '2026-11-25T06:00:00Z'),
        e('author', e('name', 'Alpina')),
        entries,
    )
    return xml_file(random, feed, ['feed', 'entry'])


@kind
def google_local_inventory(random):
    items = [
        e(
            'item',
            e('g:store_code', store),
            e('g:id', product.sku),
            e('g:quantity', product.qty),
            e('g:price', f'{product.price} EUR'),
        )
        for product in draw_products(random, 3)
        for store in ('B-1', 'B-2')
    ]
    return xml_file(random, rss(items), ['rss', 'channel', 'item'])


@kind
def facebook_catalogue(random):
    """Each size is an item of its own; products have no other record."""
    items = [
        e(
            'item',
            e('g:id', variant.sku),
            e('g:item_group_id', product.sku),
            e('g:title', product.name),
            e('g:size', variant.size),
            e('g:color', variant.colour),
            e('g:quantity_to_sell_on_facebook', variant.qty),
            e('g:price', f'{variant.price} EUR'),
            e('g:custom_label_0', product.category),
        )
        for product in draw_products(random, 3, has_variants=True)
        for variant in product.variants
    ]
    return xml_file(random, rss(items), ['rss', 'channel', 'item'])


def yml(products, categories, offer):
    shop = e(
        'shop',
        e('name', 'Alpina'),
        e('company', 'Alpina Ltd'),
        e('url', 'https://shop.example'),
        e('currencies', e('currency', id='RUR', rate='1'), e('currency', id='EUR', rate='CBRF')),
        e(
            'categories',
            [
                e('category', {'id': id, **({'parentId': parent} if parent else {})}, name)
                for id, parent, name in categories
            ],
        ),
        e('delivery-options', e('option', cost='300', days='1')),
        e('offers', [offer(product) for product in products]),
    )
    return e('yml_catalog', shop, date='2026-11-25 06:30')


def yml_offer(random):
    def offer(product):
        params = [e('param', product.weight, name='Вес', unit='кг')] * (random.random() < 0.7)
        params += [e('param', 'синий', name='Цвет'), e('param', random.choice(['S', 'M']), name='Размер')]
        return e(
            'offer',
            {'id': product.id, 'available': 'true' if product.qty != '0' else 'false'},
            e('url', product.url),
            e('price', product.price),
            e('currencyId', 'RUR'),
            e('categoryId', '2'),
            [e('picture', image) for image in product.images],
            e('name', product.name),
            e('vendor', product.brand),
            e('vendorCode', product.sku),
            e('description', product.description),
            params,
        )

    return offer


OFFERS = ['yml_catalog', 'shop', 'offers', 'offer']
CYRILLIC = Style(encoding='windows-1251', declared='windows-1251')


def yandex_file(random, products, categories, style, before='', **properties):
    root = yml(products, categories, yml_offer(random))
    file = xml_file(random, root, OFFERS, by={'param': 'name'}, style=style, before=before, **properties)
    for column in file.tables[0].columns:
        column.is_optional |= column.attribute == 'unit'
    return file


@kind
def yandex_yml(random):
    return yandex_file(random, draw_products(random), draw_categories(random), Style(has_mark=random.random() < 0.3))


@kind
def yandex_yml_in_windows_1251(random):
    return yandex_file(random, draw_products(random), draw_categories(random), CYRILLIC)


@kind
def yandex_yml_with_a_doctype(random):
    """As its documentation asked for; nothing is declared in it."""
    before = '<!DOCTYPE yml_catalog SYSTEM "shops.dtd">\n'
    return yandex_file(random, draw_products(random), draw_categories(random), CYRILLIC, before, is_ambiguous=True)


@kind
def yandex_yml_with_many_categories(random):
    return yandex_file(random, draw_products(random, 4), draw_categories(random, 60), Style())


@kind
def yandex_yml_of_a_book_shop(random):
    """Offers of several types have other fields."""
    products = draw_products(random, 6)

    def offer(product):
        is_book = int(product.id) % 2
        fields = (
            [e('author', product.brand), e('ISBN', product.ean)]
            if is_book
            else [e('typePrefix', 'Boots'), e('model', product.name)]
        )
        return e(
            'offer',
            {'id': product.id, 'type': 'book' if is_book else 'vendor.model'},
            e('price', product.price),
            fields,
            e('count', product.qty),
        )

    return xml_file(random, yml(products, draw_categories(random), offer), OFFERS, style=Style(indent='\t'))


@kind
def ceneo(random):
    offers = [
        e(
            'o',
            {
                'id': product.id,
                'url': product.url,
                'price': product.price,
                'avail': '1',
                'weight': product.weight,
                'stock': product.qty,
            },
            e('cat', product.category),
            e('name', product.name),
            e('imgs', e('main', url=product.images[0]), [e('i', url=image) for image in product.images[1:]]),
            e('desc', product.description),
            e(
                'attrs',
                e('a', product.brand, name='Producent'),
                e('a', product.sku, name='Kod_producenta'),
                e('a', product.ean, name='EAN'),
            ),
        )
        for product in draw_products(random)
    ]
    root = e('offers', {'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance', 'version': '1'}, offers)
    return xml_file(random, root, ['offers', 'o'], by={'a': 'name'})


@kind
def ceneo_in_a_group(random):
    offers = [
        e(
            'o',
            {'id': product.id, 'price': product.price},
            e('name', product.name),
            e('attrs', e('a', product.ean, name='EAN'), e('a', product.brand, name='Producent')),
        )
        for product in draw_products(random)
    ]
    root = e('offers', {'version': '1'}, e('group', {'name': 'other'}, offers))
    return xml_file(
        random,
        root,
        ['offers', 'group', 'o'],
        by={'a': 'name'},
        style=Style(encoding='iso-8859-2', declared='ISO-8859-2'),
    )


def shop_item(random, product):
    params = random.sample([('Velikost', 'M'), ('Barva', 'červená'), ('Materiál', 'bavlna')], random.randrange(1, 4))
    return e(
        'SHOPITEM',
        e('ITEM_ID', product.sku),
        e('PRODUCTNAME', product.name),
        e('DESCRIPTION', product.description),
        e('URL', product.url),
        e('IMGURL', product.images[0]),
        [e('IMGURL_ALTERNATIVE', image) for image in product.images[1:]],
        e('PRICE_VAT', product.price.replace('.', ',')),
        e('MANUFACTURER', product.brand),
        e('CATEGORYTEXT', product.category.replace(' > ', ' | ')),
        e('EAN', product.ean),
        [e('PARAM', e('PARAM_NAME', name), e('VAL', value)) for name, value in params],
        e('DELIVERY_DATE', '0' if product.qty != '0' else '14'),
    )


@kind
def heureka(random):
    items = [shop_item(random, product) for product in draw_products(random)]
    for item in items:
        item.children += [
            e('DELIVERY', e('DELIVERY_ID', name), e('DELIVERY_PRICE', price), e('DELIVERY_PRICE_COD', price))
            for name, price in [('CESKA_POSTA', '120'), ('PPL', '90'), ('ZASILKOVNA', '65')]
        ]
    return xml_file(random, e('SHOP', items), ['SHOP', 'SHOPITEM'])


@kind
def heureka_availability(random):
    items = [
        e(
            'item',
            {'id': product.sku},
            e('stock_quantity', product.qty),
            e('delivery_time', {'orderDeadline': '2026-11-25 12:00'}, '2026-11-28 12:00'),
        )
        for product in draw_products(random)
    ]
    return xml_file(random, e('item_list', items), ['item_list', 'item'])


@kind
def zbozi(random):
    items = [shop_item(random, product) for product in draw_products(random)]
    for item in items:
        item.children += [
            e('EXTRA_MESSAGE', text)
            for text in random.sample(['free_gift', 'extended_warranty'], random.randrange(3))
        ]
    return xml_file(random, e('SHOP', {'xmlns': 'http://www.zbozi.cz/ns/offer/1.0'}, items), ['SHOP', 'SHOPITEM'])


@kind
def idealo(random):
    products = [
        e(
            'product',
            e('sku', product.sku),
            e('title', product.name),
            e('hans', product.sku),
            e('eans', product.ean),
            e('price', product.price),
            e('deliveryTime', '1-3 Werktage'),
            e(
                'deliveryCosts',
                e('deliveryCost', {'name': 'DHL'}, '4.90'),
                e('deliveryCost', {'name': 'GLS'}, '3.90'),
            ),
            e('imageUrls', [e('imageUrl', image) for image in product.images]),
        )
        for product in draw_products(random)
    ]
    return xml_file(random, e('products', products), ['products', 'product'], by={'deliveryCost': 'name'})


@kind
def skroutz(random):
    """Variations only where a product has sizes."""
    products = []
    for at, product in enumerate(draw_products(random, 6, has_variants=True)):
        variations = [
            e(
                'variation',
                e('variationid', one.sku),
                e('availability', 'Σε απόθεμα'),
                e('size', one.size),
                e('quantity', one.qty),
            )
            for one in product.variants
        ]
        products.append(
            e(
                'product',
                e('uniqueid', product.id),
                e('name', product.name),
                e('category', product.category),
                e('price_with_vat', product.price),
                e('mpn', product.sku),
                e('variations', variations) if at % 3 else None,
                e('weight', product.weight),
            )
        )
    root = e('mywebstore', e('created_at', '2026-11-25 06:30'), e('products', products))
    return xml_file(random, root, ['mywebstore', 'products', 'product'], ['variations', 'variation'])


@kind
def trovaprezzi(random):
    offers = [
        e(
            'Offer',
            e('Name', product.name),
            e('Code', product.sku),
            e('Price', product.price),
            e('Stock', product.qty),
            e('Categories', product.category.replace(' >', ',')),
            e('EanCode', product.ean),
        )
        for product in draw_products(random)
    ]
    return xml_file(random, e('Products', offers), ['Products', 'Offer'])


@kind
def arukereso(random):
    products = [
        e(
            'termek',
            e('azonosito', product.sku),
            e('nev', product.name),
            e('ar', product.price),
            e('keszlet', product.qty),
            e('vonalkod', product.ean),
        )
        for product in draw_products(random)
    ]
    return xml_file(
        random,
        e('termekek', products),
        ['termekek', 'termek'],
        style=Style(encoding='iso-8859-2', declared='iso-8859-2'),
    )


@kind
def tradetracker(random):
    products = [
        e(
            'product',
            {'ID': product.id},
            e('name', product.name),
            e('price', {'currency': 'EUR'}, product.price),
            e('URL', product.url),
            e('images', [e('image', image) for image in product.images]),
            e('categories', e('category', {'path': product.category}, product.category)),
            e(
                'properties',
                e('property', {'name': 'brand'}, e('value', product.brand)),
                e('property', {'name': 'EAN'}, e('value', product.ean)),
            ),
        )
        for product in draw_products(random)
    ]
    root = e('products', e('version', '2.0'), products)
    by_name = flatten(root, ['products', 'product'], by={'property': 'name'})
    file = xml_file(random, root, ['products', 'product'])
    file.tables.insert(0, by_name)
    return file


@kind
def awin(random):
    products = [
        e(
            'prod',
            {'id': product.id, 'in_stock': 'yes', 'lang': 'EN'},
            e('brand', e('brandName', product.brand)),
            e('cat', e('mCat', product.category), e('awCatId', '97')),
            e('price', {'curr': 'GBP'}, e('buynow', product.price), e('delivery', '0.00')),
            e('text', e('name', product.name), e('desc', product.description)),
            e('uri', e('awTrack', product.url), e('mImage', product.images[0])),
            e('vertical', {'id': '0', 'name': 'Retail'}),
            e('pId', product.sku),
        )
        for product in draw_products(random)
    ]
    root = e('cafProductFeed', e('datafeed', {'id': '1', 'merchantId': '99', 'merchantName': 'Alpina'}, products))
    return xml_file(random, root, ['cafProductFeed', 'datafeed', 'prod'])


@kind
def amazon_inventory(random):
    messages = [
        e(
            'Message',
            e('MessageID', str(at)),
            e('OperationType', 'Update'),
            e('Inventory', e('SKU', product.sku), e('Quantity', product.qty), e('FulfillmentLatency', '2')),
        )
        for at, product in enumerate(draw_products(random), 1)
    ]
    root = e(
        'AmazonEnvelope',
        {
            'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
            'xsi:noNamespaceSchemaLocation': 'amzn-envelope.xsd',
        },
        e('Header', e('DocumentVersion', '1.01'), e('MerchantIdentifier', 'M_ALPINA_1')),
        e('MessageType', 'Inventory'),
        messages,
    )
    return xml_file(random, root, ['AmazonEnvelope', 'Message'])


@kind
def ebay_active_inventory(random):
    details = []
    for at, product in enumerate(draw_products(random, 5, has_variants=True)):
        variations = [
            e('Variation', e('SKU', one.sku), e('Price', {'currencyID': 'EUR'}, one.price), e('Quantity', one.qty))
            for one in product.variants
        ]
        own = [e('Price', {'currencyID': 'EUR'}, product.price), e('Quantity', product.qty)]
        details.append(e('SKUDetails', e('ItemID', product.id), e('Variations', variations) if at % 2 else own))
    root = e(
        'BulkDataExchangeResponses',
        {'xmlns': 'urn:ebay:apis:eBLBaseComponents'},
        e('ActiveInventoryReport', e('Ack', 'Success'), e('Version', '1'), details),
    )
    path = ['BulkDataExchangeResponses', 'ActiveInventoryReport', 'SKUDetails']
    return xml_file(random, root, path, ['Variations', 'Variation'])


@kind
def fashion_feed_with_sizes_in_one_field(random):
    products = [
        e(
            'item',
            e('id', product.sku),
            e('sizes', [e('size', size) for size in ('S', 'M', 'L')]),
            e('colour', 'red'),
            e('price', product.price),
        )
        for product in draw_products(random)
    ]
    return xml_file(random, e('items', products), ['items', 'item'])


@kind
def price_list_of_attributes(random):
    products = [
        e(
            'item',
            {
                'code': product.sku,
                'name': product.name,
                'qty': product.qty,
                'price': product.price,
                'ean': product.ean,
            },
        )
        for product in draw_products(random)
    ]
    return xml_file(
        random, e('pricelist', {'supplier': 'Alpina', 'date': '2026-11-25'}, products), ['pricelist', 'item']
    )


@kind
def feed_with_a_stylesheet(random):
    products = [
        e('product', e('sku', product.sku), e('qty', product.qty), e('price', product.price))
        for product in draw_products(random)
    ]
    before = '<?xml-stylesheet type="text/xsl" href="feed.xsl"?>\n<!-- page 1 of 1 -->\n'
    return xml_file(random, e('products', products), ['products', 'product'], before=before)


@kind
def feed_after_a_blank_line(random):
    """As PHP sends a feed where a file ends with an empty line; not well-formed."""
    products = [
        e('product', e('sku', product.sku), e('qty', product.qty), e('price', product.price))
        for product in draw_products(random)
    ]
    root = e('products', products)
    data = b'\r\n' + write_xml(root, Style())
    return File(data, 'xml', [flatten(root, ['products', 'product'])], is_ambiguous=True, is_checked=False)


@kind
def feed_without_a_declaration(random):
    products = [
        e('product', e('sku', product.sku), e('name', product.name), e('qty', product.qty))
        for product in draw_products(random)
    ]
    return xml_file(random, e('products', products), ['products', 'product'], style=Style(declared=None, indent=None))


@kind
def feed_in_a_soap_envelope(random):
    products = [
        e('Product', e('Sku', product.sku), e('Name', product.name), e('Stock', product.qty))
        for product in draw_products(random)
    ]
    root = e(
        's:Envelope',
        {'xmlns:s': 'http://schemas.xmlsoap.org/soap/envelope/'},
        e('s:Header', e('wsa:MessageID', {'xmlns:wsa': 'http://www.w3.org/2005/08/addressing'}, 'urn:uuid:1')),
        e('s:Body', e('GetStockResponse', {'xmlns': 'http://tempuri.org/'}, e('GetStockResult', products))),
    )
    return xml_file(random, root, ['s:Envelope', 's:Body', 'GetStockResponse', 'GetStockResult', 'Product'])


@kind
def json_in_an_xml_string(random):
    """As a web service of ASP.NET answers."""
    rows = ','.join(f'{{&quot;sku&quot;:&quot;{product.sku}&quot;}}' for product in draw_products(random))
    text = f'<?xml version="1.0" encoding="utf-8"?>\n<string xmlns="http://tempuri.org/">[{rows}]</string>'
    return text_file(text, 'xml', is_checked=False)


@kind
def xml_in_a_soap_string(random):
    rows = ''.join(f'<p><sku>{product.sku}</sku><qty>{product.qty}</qty></p>' for product in draw_products(random))
    text = (
        '<?xml version="1.0"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>'
        f'<r xmlns="urn:x"><return><![CDATA[<stock>{rows}</stock>]]></return></r></soap:Body></soap:Envelope>'
    )
    return text_file(text, 'xml', is_checked=False)
