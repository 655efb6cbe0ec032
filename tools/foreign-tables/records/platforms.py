"""Exports and web services of shop systems."""
import base64

from records.catalogue import draw_products
from records.files import kind, json_file, lines_file, xml_file
from records.json_text import Number
from records.xml_tree import Style, e, flatten

XLINK = {'xmlns:xlink': 'http://www.w3.org/1999/xlink'}
XSI = {'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance'}


@kind
def magento_1_soap(random):
    items = [
        e(
            'item',
            {'xsi:type': 'ns1:catalogProductEntity'},
            e('product_id', {'xsi:type': 'xsd:string'}, product.id),
            e('sku', {'xsi:type': 'xsd:string'}, product.sku),
            e('name', {'xsi:type': 'xsd:string'}, product.name),
            e(
                'category_ids',
                {'SOAP-ENC:arrayType': 'xsd:string[2]'},
                e('item', {'xsi:type': 'xsd:string'}, '4'),
                e('item', {'xsi:type': 'xsd:string'}, '7'),
            ),
        )
        for product in draw_products(random)
    ]
    envelope = {
        'xmlns:SOAP-ENV': 'http://schemas.xmlsoap.org/soap/envelope/',
        'xmlns:SOAP-ENC': 'http://schemas.xmlsoap.org/soap/encoding/',
        **XSI,
    }
    root = e(
        'SOAP-ENV:Envelope',
        envelope,
        e('SOAP-ENV:Body', e('ns1:catalogProductListResponse', {'xmlns:ns1': 'urn:Magento'}, e('storeView', items))),
    )
    return xml_file(
        random,
        root,
        ['SOAP-ENV:Envelope', 'SOAP-ENV:Body', 'ns1:catalogProductListResponse', 'storeView', 'item'],
        style=Style(indent=None),
    )


def magento_2_items(random):
    return [
        {
            'id': Number(product.id),
            'sku': product.sku,
            'name': product.name,
            'price': Number(product.price.rstrip('0').rstrip('.')),
            'status': Number(1),
            'type_id': 'simple',
            'extension_attributes': {
                'website_ids': [Number(1), Number(2)],
                'stock_item': {'qty': Number(product.qty), 'is_in_stock': product.qty != '0'},
            },
            'product_links': [],
            'media_gallery_entries': [
                {'id': Number(at), 'file': image, 'types': ['image']} for at, image in enumerate(product.images)
            ],
            'custom_attributes': [
                {'attribute_code': 'description', 'value': product.description},
                {'attribute_code': 'category_ids', 'value': ['3', '5']},
                {'attribute_code': 'brand', 'value': product.brand},
                {'attribute_code': 'url_key', 'value': f'p-{product.id}'},
            ],
        }
        for product in draw_products(random)
    ]


@kind
def magento_2_rest(random):
    items = magento_2_items(random)
    criteria = {
        'filter_groups': [{'filters': [{'field': 'status', 'value': '1', 'condition_type': 'eq'}]}],
        'page_size': Number(100),
    }
    return json_file(
        random, {'items': items, 'search_criteria': criteria, 'total_count': Number(len(items))}, ['items']
    )


@kind
def magento_2_rest_xml(random):
    items = [
        e(
            'item',
            e('id', product.id),
            e('sku', product.sku),
            e('name', product.name),
            e('price', product.price),
            e(
                'extension_attributes',
                e('website_ids', e('item', '1'), e('item', '2')),
                e('stock_item', e('qty', product.qty), e('is_in_stock', '1')),
            ),
            e('product_links'),
            e(
                'custom_attributes',
                [
                    e('item', e('attribute_code', code), e('value', value))
                    for code, value in (('brand', product.brand), ('ean', product.ean))
                ],
            ),
        )
        for product in draw_products(random)
    ]
    root = e(
        'response', e('items', items), e('search_criteria', e('page_size', '100')), e('total_count', str(len(items)))
    )
    return xml_file(random, root, ['response', 'items', 'item'], style=Style(indent=None))


@kind
def prestashop_webservice(random):
    products = [
        e(
            'product',
            e('id', product.id),
            e('id_manufacturer', {'xlink:href': 'https://shop.example/api/manufacturers/3'}, '3'),
            e('reference', product.sku),
            e('ean13', product.ean),
            e('price', f'{product.price}0000'),
            e('active', '1'),
            e('name', e('language', {'id': '1', 'xlink:href': 'https://shop.example/api/languages/1'}, product.name)),
            e(
                'description',
                e('language', {'id': '1', 'xlink:href': 'https://shop.example/api/languages/1'}, product.description),
            ),
            e(
                'associations',
                e(
                    'categories',
                    {'nodeType': 'category', 'api': 'categories'},
                    [
                        e('category', {'xlink:href': f'https://shop.example/api/categories/{id}'}, e('id', id))
                        for id in ('2', '5')
                    ],
                ),
            ),
        )
        for product in draw_products(random)
    ]
    root = e('prestashop', XLINK, e('products', products))
    by_language = flatten(root, ['prestashop', 'products', 'product'], by={'language': 'id'})
    file = xml_file(random, root, ['prestashop', 'products', 'product'], style=Style(has_cdata=True))
    file.tables.append(by_language)
    return file


@kind
def prestashop_list_of_addresses(random):
    """Only where each product is to be found."""
    products = [
        e('product', {'id': product.id, 'xlink:href': f'https://shop.example/api/products/{product.id}'})
        for product in draw_products(random)
    ]
    return xml_file(random, e('prestashop', XLINK, e('products', products)), ['prestashop', 'products', 'product'])


def shopify_product(product):
    return {
        'id': Number(f'68{product.id}00112233'),
        'title': product.name,
        'handle': f'p-{product.id}',
        'body_html': f'<p>{product.description}</p>',
        'published_at': product.updated,
        'vendor': product.brand,
        'product_type': product.category,
        'tags': ['new', 'winter sale'],
        'variants': [
            {
                'id': Number(f'40{product.id}0022{at}'),
                'title': one.size,
                'option1': one.size,
                'option2': None,
                'sku': one.sku,
                'requires_shipping': True,
                'price': one.price,
                'compare_at_price': None if at else '99.90',
                'grams': Number(300 + at),
                'position': Number(at + 1),
                'product_id': Number(f'68{product.id}00112233'),
            }
            for at, one in enumerate(product.variants)
        ],
        'images': [{'id': Number(at), 'src': image, 'variant_ids': []} for at, image in enumerate(product.images)],
        'options': [{'name': 'Size', 'position': Number(1), 'values': [one.size for one in product.variants]}],
    }


@kind
def shopify_products_json(random):
    products = [shopify_product(product) for product in draw_products(random, 4, has_variants=True)]
    return json_file(random, {'products': products}, ['products'], ['variants'])


@kind
def shopify_with_one_variant_each(random):
    products = draw_products(random, 5, has_variants=True)
    for product in products:
        product.variants = product.variants[:1]
    return json_file(random, {'products': list(map(shopify_product, products))}, ['products'], ['variants'])


@kind
def shopify_graphql(random):
    edges = [
        {
            'cursor': f'eyJ{product.id}',
            'node': {
                'id': f'gid://shopify/Product/{product.id}',
                'title': product.name,
                'vendor': product.brand,
                'variants': {
                    'edges': [
                        {
                            'node': {
                                'sku': one.sku,
                                'price': one.price,
                                'inventoryQuantity': Number(one.qty),
                                'barcode': one.ean,
                            }
                        }
                        for one in product.variants
                    ]
                },
                'totalInventory': Number(product.qty),
            },
        }
        for product in draw_products(random, 4, has_variants=True)
    ]
    value = {
        'data': {'products': {'edges': edges, 'pageInfo': {'hasNextPage': False}}},
        'extensions': {
            'cost': {'requestedQueryCost': Number(22), 'throttleStatus': {'maximumAvailable': Number('1000.0')}}
        },
    }
    return json_file(random, value, ['data', 'products', 'edges'], ['node', 'variants', 'edges'])


@kind
def shopify_bulk_lines(random):
    """Variants on lines of their own, after their product."""
    lines = []
    for product in draw_products(random, 4, has_variants=True):
        parent = f'gid://shopify/Product/{product.id}'
        lines.append({'id': parent, 'title': product.name, 'vendor': product.brand})
        lines += [
            {
                'id': f'{parent}/{at}',
                'sku': one.sku,
                'price': one.price,
                'inventoryQuantity': Number(one.qty),
                '__parentId': parent,
            }
            for at, one in enumerate(product.variants)
        ]
    return lines_file(lines)


@kind
def woocommerce_rest(random):
    products = [
        {
            'id': Number(product.id),
            'name': product.name,
            'slug': f'p-{product.id}',
            'permalink': product.url,
            'date_modified': product.updated,
            'type': 'simple',
            'featured': False,
            'sku': product.sku,
            'price': product.price,
            'sale_price': '',
            'manage_stock': True,
            'stock_quantity': Number(product.qty) if at % 3 else None,
            'dimensions': {'length': '', 'width': '12', 'height': '1.5'},
            'categories': [
                {'id': Number(9), 'name': product.category, 'slug': 'c'},
                {'id': Number(10), 'name': 'Sale', 'slug': 'sale'},
            ],
            'images': [
                {'id': Number(image_at), 'src': image, 'alt': ''} for image_at, image in enumerate(product.images)
            ],
            'attributes': [{'id': Number(6), 'name': 'Size', 'visible': True, 'options': ['S', 'M']}],
            'variations': [Number(701), Number(702)],
            'meta_data': [
                {'id': Number(1), 'key': '_ean', 'value': product.ean},
                {'id': Number(2), 'key': '_x', 'value': {'a': Number(1)}},
            ],
            '_links': {'self': [{'href': f'https://shop.example/wp-json/wc/v3/products/{product.id}'}]},
        }
        for at, product in enumerate(draw_products(random))
    ]
    return json_file(random, products)


@kind
def wordpress_export(random):
    """An RSS feed in which the details of an item are more than items."""
    items = [
        e(
            'item',
            e('title', product.name),
            e('link', product.url),
            e('pubDate', 'Wed, 25 Nov 2026 06:30:00 +0000'),
            e('guid', {'isPermaLink': 'false'}, product.url),
            e('content:encoded', product.description),
            e('wp:post_id', product.id),
            e('wp:post_type', 'product'),
            [e('category', {'domain': 'product_cat', 'nicename': 'c'}, product.category)],
            [
                e('wp:postmeta', e('wp:meta_key', key), e('wp:meta_value', value))
                for key, value in (
                    ('_sku', product.sku),
                    ('_price', product.price),
                    ('_stock', product.qty),
                    ('_weight', product.weight),
                )
            ],
        )
        for product in draw_products(random)
    ]
    names = {
        'version': '2.0',
        'xmlns:content': 'http://purl.org/rss/1.0/modules/content/',
        'xmlns:wp': 'http://wordpress.org/export/1.2/',
    }
    root = e(
        'rss',
        names,
        e('channel', e('title', 'Alpina'), e('wp:wxr_version', '1.2'), e('wp:author', e('wp:author_id', '1')), items),
    )
    return xml_file(random, root, ['rss', 'channel', 'item'], style=Style(has_cdata=True), is_ambiguous=True)


@kind
def bigcommerce(random):
    products = [
        {
            'id': Number(product.id),
            'name': product.name,
            'type': 'physical',
            'sku': product.sku,
            'weight': Number(product.weight),
            'price': Number(product.price),
            'categories': [Number(23), Number(21)],
            'custom_url': {'url': f'/p-{product.id}/', 'is_customized': False},
            'variants': [
                {
                    'id': Number(f'{product.id}{at}'),
                    'sku': one.sku,
                    'price': Number(one.price) if at else None,
                    'inventory_level': Number(one.qty),
                    'option_values': [{'id': Number(at), 'label': one.size, 'option_display_name': 'Size'}],
                }
                for at, one in enumerate(product.variants)
            ],
        }
        for product in draw_products(random, 4, has_variants=True)
    ]
    pagination = {'total': Number(4), 'count': Number(4), 'links': {'current': '?page=1&limit=50'}}
    return json_file(random, {'data': products, 'meta': {'pagination': pagination}}, ['data'], ['variants'])


@kind
def bigcommerce_xml(random):
    products = [
        e(
            'product',
            e('id', product.id),
            e('name', product.name),
            e('sku', product.sku),
            e('price', product.price),
            e('inventory_level', product.qty),
            e('brand', e('link', f'https://shop.example/api/v2/brands/{at}.xml')),
            e('primary_image', e('id', str(at)), e('image_file', product.images[0])),
            e('description'),
        )
        for at, product in enumerate(draw_products(random))
    ]
    return xml_file(random, e('products', products), ['products', 'product'])


@kind
def shopware_5_export(random):
    articles = [
        e(
            'article',
            e('ordernumber', product.sku),
            e('mainnumber', product.sku),
            e('name', product.name),
            e('supplier', product.brand),
            e('tax', '19.00'),
            e(
                'prices',
                e('price', e('group', 'EK'), e('price', product.price), e('pseudoprice', '0'), e('baseprice', '0')),
            ),
            e('instock', product.qty),
            e('active', '1'),
        )
        for product in draw_products(random)
    ]
    return xml_file(random, e('root', e('articles', articles)), ['root', 'articles', 'article'])


@kind
def shopware_6_api(random):
    products = [
        {
            'id': f'{int(product.id):032x}',
            'parentId': None,
            'productNumber': product.sku,
            'stock': Number(product.qty),
            'active': True,
            'ean': product.ean,
            'price': [
                {
                    'currencyId': 'b7d2554b0ce847cd82f3ac9bd1c0dfca',
                    'net': Number('8.4'),
                    'gross': Number(product.price),
                    'linked': True,
                }
            ],
            'translated': {'name': product.name, 'customFields': []},
            'apiAlias': 'product',
        }
        for product in draw_products(random)
    ]
    return json_file(random, {'total': Number(len(products)), 'data': products, 'aggregations': []}, ['data'])


@kind
def opencart_export(random):
    products = [
        e(
            'product',
            {'product_id': product.id},
            e('model', product.sku),
            e('name', product.name),
            e('quantity', product.qty),
            e('price', f'{product.price}00'),
            e('status', 'Enabled'),
            e('manufacturer', product.brand),
            e('date_modified', product.updated),
        )
        for product in draw_products(random)
    ]
    return xml_file(
        random,
        e('store', {'name': 'Alpina', 'version': '3.0.3.8'}, e('products', products)),
        ['store', 'products', 'product'],
    )


@kind
def plentymarkets(random):
    entries = [
        {
            'id': Number(product.id),
            'itemId': Number(10 + at),
            'number': product.sku,
            'isActive': True,
            'stockLimitation': Number(1),
            'weightG': Number(300),
            'item': {
                'id': Number(10 + at),
                'manufacturerId': Number(2),
                'texts': [{'lang': 'de', 'name1': product.name}],
            },
            'variationBarcodes': [{'barcodeId': Number(1), 'code': product.ean}],
            'variationSalesPrices': [
                {'salesPriceId': Number(1), 'price': Number(product.price)},
                {'salesPriceId': Number(2), 'price': Number('7.5')},
            ],
        }
        for at, product in enumerate(draw_products(random))
    ]
    value = {
        'page': Number(1),
        'totalsCount': Number(len(entries)),
        'isLastPage': True,
        'entries': entries,
        'lastPageNumber': Number(1),
    }
    return json_file(random, value, ['entries'])


@kind
def ecwid(random):
    items = []
    for at, product in enumerate(draw_products(random, 5, has_variants=True)):
        combinations = [
            {
                'id': Number(f'{product.id}{one_at}'),
                'sku': one.sku,
                'quantity': Number(one.qty),
                'price': Number(one.price),
                'options': [{'name': 'Size', 'value': one.size}],
            }
            for one_at, one in enumerate(product.variants)
        ]
        items.append(
            {
                'name': product.name,
                'enabled': True,
                'category': product.category,
                'combinations': combinations if at % 2 else [],
                'url': product.url,
            }
        )
    value = {'total': Number(5), 'count': Number(5), 'offset': Number(0), 'limit': Number(100), 'items': items}
    return json_file(random, value, ['items'], ['combinations'])


@kind
def square_catalogue(random):
    objects = [
        {
            'type': 'ITEM',
            'id': f'ITEM{product.id}',
            'version': Number('1699999999999'),
            'item_data': {
                'name': product.name,
                'description': product.description,
                'variations': [
                    {
                        'id': f'VAR{one.ean}',
                        'item_variation_data': {
                            'sku': one.sku,
                            'name': one.size,
                            'price_money': {
                                'amount': Number(one.price.replace('.', '').lstrip('0') or '0'),
                                'currency': 'EUR',
                            },
                        },
                    }
                    for one in product.variants
                ],
            },
        }
        for product in draw_products(random, 4, has_variants=True)
    ]
    return json_file(random, {'objects': objects, 'cursor': 'abc'}, ['objects'], ['item_data', 'variations'])


@kind
def etsy_listings(random):
    results = [
        {
            'listing_id': Number(product.id),
            'title': product.name,
            'quantity': Number(product.qty),
            'price': {
                'amount': Number(product.price.replace('.', '').lstrip('0') or '0'),
                'divisor': Number(100),
                'currency_code': 'EUR',
            },
            'skus': [product.sku],
            'tags': ['gift', 'hand made'],
            'materials': [],
        }
        for product in draw_products(random)
    ]
    return json_file(random, {'count': Number(len(results)), 'results': results}, ['results'])


@kind
def stripe_list(random):
    data = [
        {
            'id': f'prod_{product.id}',
            'object': 'product',
            'active': True,
            'name': product.name,
            'metadata': {'sku': product.sku, 'qty': product.qty},
            'images': product.images,
            'livemode': False,
            'updated': Number(1764050000 + at),
        }
        for at, product in enumerate(draw_products(random))
    ]
    return json_file(random, {'object': 'list', 'data': data, 'has_more': False, 'url': '/v1/products'}, ['data'])


@kind
def magento_with_a_file_inside(random):
    """A long text that is no table: a picture."""
    picture = base64.b64encode(random.randbytes(1500)).decode()
    products = [
        {'sku': product.sku, 'qty': Number(product.qty), 'content': {'type': 'image/png', 'base64': picture}}
        for product in draw_products(random, 4)
    ]
    return json_file(random, products)
