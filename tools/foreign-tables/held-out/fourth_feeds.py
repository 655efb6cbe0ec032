"""The fourth set: product feeds, as shops and wholesalers offer them."""
from fourth_model import HEAD, attrs, goods, made, rows, t, tags, x, xa

G = 'g:id=sku g:title=name g:description=text g:link=url g:image_link=img g:price=money g:brand=brand g:gtin=ean g:mpn=mpn g:availability=avail g:condition=new g:product_type=cat'
G_FIELDS = 'sku name text url img money brand ean mpn avail cat'


def google(r, name, count, sep='', cdata='', bom=b'', spec=G, more=None, extra='', soft=''):
    products = goods(r, count)
    items = sep.join(f'<item>{sep}{tags(g, spec, sep, cdata=cdata)}{more(g) if more else ""}{sep}</item>' for g in products)
    head = '<title>Vasto feed</title><link>https://www.vasto.example</link><description>All products</description>'
    text = f'<?xml version="1.0"?>\n<rss xmlns:g="http://base.google.com/ns/1.0" version="2.0">\n<channel>\n{head}\n{items}\n</channel>\n</rss>\n'
    return made('xml', name, text, products, f'{G_FIELDS} {extra}', soft, bom=bom)


def shipping(g):
    lands = ''.join(f'<g:shipping><g:country>{land}</g:country><g:price>{fee} EUR</g:price></g:shipping>' for land, fee in [('DE', '4.90'), ('AT', '6.90')])
    return t('g:additional_image_link', g.imgs) + t('g:sale_price', g.sale) + lands


def one_shipping(g):
    return '<g:shipping>\n<g:country>NL</g:country>\n<g:service>Standard</g:service>\n<g:price>5.95 EUR</g:price>\n</g:shipping>\n' + t('g:custom_label_0', g.note)


def labels(g):
    return t('g:product_detail', '') + f'<g:quantity>{g.qty}</g:quantity><g:shipping_weight>{g.kg} kg</g:shipping_weight>' + t('g:custom_label_1', g.note)


def google_sizes(r, name, by_group):
    pairs = rows(goods(r, 9, 1, 4))
    items = '\n'.join(
        f'<item><g:id>{p.v.sku}</g:id>' + (f'<g:item_group_id>{p.p.sku}</g:item_group_id>' if by_group else '')
        + f'<title>{x(p.p.name)}</title><link>{x(p.p.url)}</link><g:size>{p.v.size}</g:size><g:color>{p.v.colour}</g:color><g:price>{p.v.price} PLN</g:price>'
        f'<g:availability>in_stock</g:availability><g:gtin>{p.v.ean}</g:gtin></item>' for p in pairs)
    text = f'{HEAD}<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><title>Sklep</title><link>https://sklep.example/</link><description/>{items}</channel></rss>'
    return made('xml', name, text, pairs, 'v.sku p.name v.size v.colour v.ean p.url' + (' p.sku' if by_group else ''))


def google_atom(r, name, count):
    products = goods(r, count)
    entries = '\n'.join(
        f'<entry>\n<g:id>{g.sku}</g:id>\n<title>{x(g.name)}</title>\n<summary>{x(g.text)}</summary>\n<link rel="alternate" href="{xa(g.url)}"/>\n'
        f'<g:price>{g.money}</g:price>\n<g:availability>{g.avail}</g:availability>\n<g:gtin>{g.ean}</g:gtin>\n</entry>' for g in products)
    text = f'{HEAD}<feed xmlns="http://www.w3.org/2005/Atom" xmlns:g="http://base.google.com/ns/1.0">\n<title>Vasto</title>\n<link rel="self" href="https://vasto.example/atom.xml"/>\n<updated>2026-10-02T04:00:00Z</updated>\n{entries}\n</feed>'
    return made('xml', name, text, products, 'sku name text url money avail ean')


def flat(r, name, count, frame, item, spec, more=None, enc='utf-8', bom=b'', sep='\n  ', extra='', soft='', **how):
    """frame: what stands around the items, with … where they are."""
    products = goods(r, count)
    body = sep.join(f'<{item}>{sep}{tags(g, spec, sep, **how)}{more(g) if more else ""}{sep}</{item.split(" ")[0]}>' for g in products)
    fields = ' '.join(part.split('=')[1] for part in spec.split())
    return made('xml', name, frame.replace('…', body), products, f'{fields} {extra}', soft, enc, bom)


def by_attributes(r, name, count, frame, item, spec, enc='utf-8'):
    products = goods(r, count)
    body = '\n'.join(f'\t<{item} {attrs(g, spec)}/>' for g in products)
    return made('xml', name, frame.replace('…', body), products, ' '.join(part.split('=')[1] for part in spec.split()), enc=enc)


def with_variants(r, name, count, frame, item, spec, group, variant, own, least=1, attributes=False, **how):
    products = goods(r, count, least, 4)
    write = (lambda p: f'<{variant} {attrs(p, own)}/>') if attributes else (lambda p: f'<{variant}>{tags(p, own)}</{variant}>')
    body = ''
    for g in products:
        inner = '\n'.join(write(p) for p in rows([g]))
        inner = f'<{group}>\n{inner}\n</{group}>' if group else inner
        body += f'<{item}>\n{tags(g, spec, **how)}\n{inner}\n</{item}>\n'
    fields = ' '.join(['p.' + part.split('=')[1] for part in spec.split()] + [part.split('=')[1] for part in own.split()])
    return made('xml', name, frame.replace('…', body), rows(products), fields)


HEUREKA = 'ITEM_ID=sku PRODUCTNAME=name DESCRIPTION=text URL=url IMGURL=img PRICE_VAT=price MANUFACTURER=brand CATEGORYTEXT=cat EAN=ean DELIVERY_DATE=days'


def heureka_more(g):
    return ''.join(f'<PARAM><PARAM_NAME>{k}</PARAM_NAME><VAL>{x(v)}</VAL></PARAM>' for k, v in [('Barva', g.colour), ('Velikost', g.size)])


def ceneo(r, name, count):
    products = goods(r, count)
    body = ''.join(
        f'<o id="{g.id}" url="{xa(g.url)}" price="{g.price}" avail="1" stock="{g.qty}"><cat><![CDATA[{g.cat}]]></cat><name><![CDATA[{g.name}]]></name>'
        f'<imgs><main url="{g.img}"/></imgs><desc><![CDATA[{g.text}]]></desc><attrs><a name="Producent"><![CDATA[{g.brand}]]></a><a name="Kod_producenta"><![CDATA[{g.mpn}]]></a><a name="EAN"><![CDATA[{g.ean}]]></a></attrs></o>\n' for g in products)
    return made('xml', name, f'{HEAD}<offers xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" version="1">\n{body}</offers>', products, 'id url price qty cat name img text', 'brand mpn ean')


def yml(r, name, count, doctype, param):
    products = goods(r, count)
    offers = '\n'.join(
        f'<offer id="{g.id}" available="{g.live}">\n<url>{x(g.url)}</url>\n<price>{g.price}</price>\n<currencyId>UAH</currencyId>\n<categoryId>{1 + at % 3}</categoryId>\n{t("picture", g.imgs)}\n<vendorCode>{g.sku}</vendorCode>\n'
        f'<vendor>{x(g.brand)}</vendor>\n<name>{x(g.name)}</name>\n<stock_quantity>{g.qty}</stock_quantity>\n' + (f'<param name="Колір">{g.colour}</param><param name="Розмір">{g.size}</param>\n' if param else '') + '</offer>' for at, g in enumerate(products))
    cats = ''.join(f'<category id="{k}"{" parentId=" + chr(34) + "1" + chr(34) if k > 1 else ""}>{c}</category>' for k, c in enumerate(['Дім', 'Інструмент', 'Сад'], 1))
    text = f'{HEAD}{doctype}<yml_catalog date="2026-10-02 09:15">\n<shop>\n<name>Vasto</name><company>Vasto TOV</company><url>https://vasto.example</url>\n<currencies><currency id="UAH" rate="1"/></currencies>\n<categories>{cats}</categories>\n<offers>\n{offers}\n</offers>\n</shop>\n</yml_catalog>'
    return made('xml', name, text, products, 'id url price sku brand name qty live imgs', 'colour size' if param else '')


SIMPLE = 'sku=sku name=name price=price stock=qty'
FEEDS = [
    (google, 'google-rss', 14), (google, 'google-rss-lines', 22, '\n', 'name text', b'\xef\xbb\xbf'),
    (google, 'google-rss-shipping', 12, '\n', '', b'', G, shipping, 'imgs'), (google, 'google-rss-one-shipping', 18, '\n', 'text', b'', G, one_shipping, 'note'),
    (google, 'google-rss-weight', 10, '\n      ', '', b'', G, labels, 'qty note'), (google, 'facebook-rss', 9, '\n', '', b'', G.replace('g:title', 'title').replace('g:desc', 'desc').replace('g:link', 'link')),
    (google, 'google-rss-spaces', 30, '\n\t', 'name text cat brand', b'', G.replace('g:title', 'title').replace('g:link', 'link')), (google_sizes, 'google-rss-sizes', True), (google_sizes, 'google-rss-sizes-alone', False), (google_atom, 'google-atom', 11), (google, 'google-rss-large', 400, '\n'),
    (flat, 'heureka', 13, HEAD + '<SHOP>\n…\n</SHOP>', 'SHOPITEM', HEUREKA, heureka_more, 'utf-8', b'', '\n', '', 'colour size'), (flat, 'heureka-plain', 17, HEAD + '<SHOP>…</SHOP>', 'SHOPITEM', HEUREKA),
    (flat, 'zbozi', 9, HEAD + '<SHOP xmlns="http://www.zbozi.cz/ns/offer/1.0">\n…</SHOP>', 'SHOPITEM', HEUREKA.replace('MANUFACTURER', 'BRAND')),
    (flat, 'skroutz', 12, HEAD + '<mywebstore>\n<created_at>2026-10-02 05:00</created_at>\n<products>…</products>\n</mywebstore>', 'product', 'id=sku name=name link=url image=img category=cat price_with_vat=price manufacturer=brand mpn=mpn ean=ean availability=avail weight=kg quantity=qty'),
    (flat, 'arukereso', 10, HEAD + '<products>…</products>', 'product', 'Identifier=sku Manufacturer=brand Name=name Category=cat Product_url=url Price=cost Image_url=img Description=text Delivery_Time=days EAN_code=ean'),
    (flat, 'trovaprezzi', 11, HEAD + '<Products>…</Products>', 'Offer', 'Name=name Brand=brand Description=text Price=comma Code=sku Link=url Stock=qty Categories=cat Image=img PartNumber=mpn EanCode=ean'),
    (flat, 'kelkoo', 8, HEAD + '<products xmlns="http://schemas.kelkoo.example/feed">…</products>', 'product', 'offer-id=sku title=name product-url=url landing-page=img price=price brand=brand ean=ean merchant-category=cat availability=days'),
    (ceneo, 'ceneo', 12), (yml, 'yml', 13, '', False), (yml, 'yml-doctype', 10, '<!DOCTYPE yml_catalog SYSTEM "shops.dtd">\n', True),
    (flat, 'dropship', 25, HEAD + '<products>\n…\n</products>', 'product', SIMPLE + ' ean=ean brand=brand weight=kg'),
    (flat, 'items-cdata', 15, HEAD + '<Items>\n…\n</Items>', 'Item', 'Code=sku Description=name Brand=brand RetailPrice=price TradePrice=cost StockLevel=qty Barcode=ean', None, 'utf-8', b'', '\n', {'cdata': 'name brand sku'}),
    (flat, 'artikel-latin1', 12, '<?xml version="1.0" encoding="ISO-8859-1"?>\n<Artikelliste>…</Artikelliste>', 'Artikel', 'Artikelnummer=sku Bezeichnung=name EAN=ean Preis=comma Bestand=qty Gewicht=kg', None, 'iso-8859-1'),
    (flat, 'towary-1250', 14, '<?xml version="1.0" encoding="windows-1250"?>\n<oferta>\n…</oferta>', 'towar', 'kod=sku nazwa=name ean=ean cena_netto=cost cena_brutto=price stan=qty vat=vat kolor=colour', None, 'cp1250'),
    (flat, 'articles-utf16', 9, '<?xml version="1.0" encoding="UTF-16"?>\n<catalogue>…</catalogue>', 'article', 'reference=sku libelle=name marque=brand prix=price stock=qty', None, 'utf-16'),
    (by_attributes, 'item-attributes', 20, HEAD + '<stock generated="2026-10-02T03:00:00">\n…\n</stock>', 'item', 'sku=sku ean=ean qty=qty price=price name=name'),
    (with_variants, 'variants', 11, HEAD + '<products>\n…</products>', 'product', 'code=sku title=name brand=brand category=cat', 'variants', 'variant', 'sku=v.sku size=v.size colour=v.colour stock=v.qty ean=v.ean price=v.price'),
    (with_variants, 'sizes-attributes', 8, HEAD + '<offer>\n<products>\n…</products></offer>', 'product', 'id=id name=name producer=brand price=price', 'sizes', 'size', 'code=v.sku name=v.size quantity=v.qty ean=v.ean', 2, True),
    (with_variants, 'combinations', 10, HEAD + '<catalog date="2026-10-02">\n…</catalog>', 'article', 'model=sku descr=text name=name images=imgs', '', 'combination', 'ref=v.sku size=v.size qty=v.qty', 2),
    (flat, 'bom-crlf', 10, '<?xml version="1.0" encoding="utf-8" standalone="yes"?>\r\n<Voorraad>\r\n…\r\n</Voorraad>\r\n', 'Regel', 'Artikelcode=sku Omschrijving=name Voorraad=qty Inkoop=cost Verkoop=price Opmerking=note Barcode=ean', None, 'utf-8', b'\xef\xbb\xbf', '\r\n'),
    (flat, 'wp-all-export', 12, HEAD + '<data>\n…\n</data>', 'post', 'ID=id Title=name Sku=sku RegularPrice=price SalePrice=sale Stock=qty StockStatus=avail Productcategories=cat ImageURL=img', {'cdata': 'name cat'}),
    (flat, 'producten', 19, HEAD + '<producten>\n…\n</producten>', 'product', 'artikelnr=sku ean=ean omschrijving=name merk=brand voorraad=qty inkoopprijs=cost adviesprijs=price levertijd=days'),
    (flat, 'prodotti', 10, HEAD + '<listino>\n<!-- listino ottobre -->\n<aggiornato>2026-10-02</aggiornato>…</listino>', 'prodotto', 'codice=sku descrizione=name marca=brand categoria=cat prezzo=comma giacenza=qty barcode=ean foto=imgs'),
]
