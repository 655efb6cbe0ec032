"""The fourth set: XML of ERP systems, databases, shops and interfaces between companies."""
from fourth_feeds import by_attributes, flat, with_variants
from fourth_model import HEAD, attrs, goods, made, rows, t, tags, x, xa


def idoc(r, name, count):
    """SAP MATMAS05: a document of each article, its texts in segments."""
    products = goods(r, count)
    body = ''.join(
        f'<IDOC BEGIN="1"><EDI_DC40 SEGMENT="1"><DOCNUM>{g.id}</DOCNUM><MESTYP>MATMAS</MESTYP></EDI_DC40><E1MARAM SEGMENT="1"><MATNR>{x(g.sku)}</MATNR><EAN11>{g.ean}</EAN11><NTGEW>{g.kg}</NTGEW>'
        f'<E1MAKTM SEGMENT="1"><SPRAS>E</SPRAS><MAKTX>{x(g.name)}</MAKTX></E1MAKTM><E1MARCM SEGMENT="1"><WERKS>1000</WERKS><LABST>{g.qty}</LABST></E1MARCM></E1MARAM></IDOC>' for g in products)
    return made('xml', name, f'<?xml version="1.0" encoding="utf-8"?><MATMAS05>{body}</MATMAS05>', products, 'sku ean kg name qty id')


def bmecat(r, name, count):
    products = goods(r, count)
    body = '\n'.join(
        f'<PRODUCT mode="new"><SUPPLIER_PID>{g.sku}</SUPPLIER_PID><PRODUCT_DETAILS><DESCRIPTION_SHORT>{x(g.name)}</DESCRIPTION_SHORT><DESCRIPTION_LONG>{x(g.text)}</DESCRIPTION_LONG><INTERNATIONAL_PID type="ean">{g.ean}</INTERNATIONAL_PID>'
        f'<MANUFACTURER_NAME>{x(g.brand)}</MANUFACTURER_NAME></PRODUCT_DETAILS><PRODUCT_ORDER_DETAILS><ORDER_UNIT>C62</ORDER_UNIT></PRODUCT_ORDER_DETAILS><PRODUCT_PRICE_DETAILS><PRODUCT_PRICE price_type="net_list">'
        f'<PRICE_AMOUNT>{g.price}</PRICE_AMOUNT><PRICE_CURRENCY>EUR</PRICE_CURRENCY></PRODUCT_PRICE></PRODUCT_PRICE_DETAILS></PRODUCT>' for g in products)
    text = f'{HEAD}<BMECAT version="2005" xmlns="http://www.bmecat.org/bmecat/2005fd">\n<HEADER><CATALOG><LANGUAGE>deu</LANGUAGE><CATALOG_ID>2026-4</CATALOG_ID><CATALOG_VERSION>001.000</CATALOG_VERSION></CATALOG><SUPPLIER><SUPPLIER_NAME>Vasto GmbH</SUPPLIER_NAME></SUPPLIER></HEADER>\n<T_NEW_CATALOG>\n{body}\n</T_NEW_CATALOG>\n</BMECAT>'
    return made('xml', name, text, products, 'sku name text ean brand price')


def commerceml(r, name, count):
    products = goods(r, count)
    body = ''.join(
        f'<Предложение><Ид>{g.id}</Ид><Штрихкод>{g.ean}</Штрихкод><Артикул>{g.sku}</Артикул><Наименование>{x(g.name)}</Наименование><БазоваяЕдиница Код="796">шт</БазоваяЕдиница><Цены><Цена><Представление>{g.price} руб.</Представление>'
        f'<ИдТипаЦены>bd72</ИдТипаЦены><ЦенаЗаЕдиницу>{g.price}</ЦенаЗаЕдиницу><Валюта>руб</Валюта></Цена></Цены><Количество>{g.qty}</Количество></Предложение>' for g in products)
    types = '<ТипыЦен><ТипЦены><Ид>bd72</Ид><Наименование>Розничная</Наименование><Валюта>руб</Валюта></ТипЦены></ТипыЦен>'
    text = f'{HEAD}<КоммерческаяИнформация ВерсияСхемы="2.05" ДатаФормирования="2026-10-02T10:00:00"><ПакетПредложений СодержитТолькоИзменения="false"><Ид>7a</Ид><Наименование>Пакет</Наименование>{types}<Предложения>{body}</Предложения></ПакетПредложений></КоммерческаяИнформация>'
    return made('xml', name, text, products, 'id ean sku name price qty')


def promostandards(r, name, count):
    """A SOAP answer: a product's parts, each with its stock."""
    parts = rows(goods(r, count, 2, 4))
    body = ''.join(
        f'<PartInventory><partId>{p.v.sku}</partId><mainPart>true</mainPart><partColor>{p.v.colour}</partColor><labelSize>{p.v.size}</labelSize><partDescription>{x(p.p.name)}</partDescription>'
        f'<quantityAvailable><Quantity><uom>EA</uom><value>{p.v.qty}</value></Quantity></quantityAvailable></PartInventory>' for p in parts)
    text = f'<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Header/><soap:Body><GetInventoryLevelsResponse xmlns="http://www.promostandards.org/WSDL/Inventory/2.0.0/"><Inventory><productId>V100</productId><PartInventoryArray>{body}</PartInventoryArray></Inventory></GetInventoryLevelsResponse></soap:Body></soap:Envelope>'
    return made('xml', name, text, parts, 'v.sku v.colour v.size p.name v.qty')


def odata_atom(r, name, count):
    products = goods(r, count)
    body = ''.join(
        f'<entry m:etag="W/&quot;{g.n}&quot;"><id>https://erp.example/odata/Items({g.id})</id><category term="NAV.Items" scheme="http://schemas.microsoft.com/ado/2007/08/dataservices/scheme"/><title/><updated>2026-10-02T08:00:00Z</updated><author><name/></author>'
        f'<content type="application/xml"><m:properties><d:No>{g.sku}</d:No><d:Description>{x(g.name)}</d:Description><d:Inventory m:type="Edm.Decimal">{g.qty}</d:Inventory><d:Unit_Price m:type="Edm.Decimal">{g.price}</d:Unit_Price>'
        + (f'<d:Remark>{g.note}</d:Remark>' if g.note else '<d:Remark m:null="true"/>') + '</m:properties></content></entry>' for g in products)
    text = f'{HEAD}<feed xml:base="https://erp.example/odata/" xmlns="http://www.w3.org/2005/Atom" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"><title type="text">Items</title><id>https://erp.example/odata/Items</id><updated>2026-10-02T08:00:00Z</updated>{body}</feed>'
    return made('xml', name, text, products, 'sku name qty price note')


def rowset(r, name, count):
    """ADO: the schema comes first."""
    products = goods(r, count)
    types = ''.join(f'<s:AttributeType name="{tag}" rs:number="{at}"><s:datatype dt:type="string"/></s:AttributeType>' for at, tag in enumerate(['ItemCode', 'Descr', 'OnHand', 'Price'], 1))
    body = '\n'.join(f'<z:row {attrs(g, "ItemCode=sku Descr=name OnHand=qty Price=price")}/>' for g in products)
    text = f'<xml xmlns:s="uuid:BDC6E3F0" xmlns:dt="uuid:C2F41010" xmlns:rs="urn:schemas-microsoft-com:rowset" xmlns:z="#RowsetSchema">\n<s:Schema id="RowsetSchema"><s:ElementType name="row" content="eltOnly">{types}<s:extends type="rs:rowbase"/></s:ElementType></s:Schema>\n<rs:data>\n{body}\n</rs:data>\n</xml>'
    return made('xml', name, text, products, 'sku name qty price')


def dataset(r, name, count):
    """.NET: a schema within, and a table that has only a few rows of currencies."""
    products = goods(r, count)
    columns = ''.join(f'<xs:element name="{tag}" type="xs:string" minOccurs="0"/>' for tag in ['Code', 'Name', 'Stock', 'Price', 'Remark'])
    body = '\n'.join(f'  <Items>\n    {tags(g, "Code=sku Name=name Stock=qty Price=price Remark=note", chr(10) + "    ")}\n  </Items>' for g in products)
    text = f'<?xml version="1.0" standalone="yes"?>\n<NewDataSet>\n  <xs:schema id="NewDataSet" xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="NewDataSet"><xs:complexType><xs:choice minOccurs="0" maxOccurs="unbounded"><xs:element name="Items"><xs:complexType><xs:sequence>{columns}</xs:sequence></xs:complexType></xs:element></xs:choice></xs:complexType></xs:element></xs:schema>\n{body}\n  <Currency><Code>EUR</Code><Rate>1</Rate></Currency>\n  <Currency><Code>SEK</Code><Rate>11.2</Rate></Currency>\n</NewDataSet>'
    return made('xml', name, text, products, 'sku name qty price note')


def named_fields(r, name, count, frame, row, cell):
    """A name is an attribute of each cell, as of mysqldump and phpMyAdmin."""
    products = goods(r, count)
    body = ''.join(f'\t<{row}>\n' + ''.join('\t\t' + cell.format(tag, x(getattr(g, field))) + '\n' for tag, field in [('item_no', 'sku'), ('title', 'name'), ('qty', 'qty'), ('price', 'price'), ('gtin', 'ean')]) + f'\t</{row.split(" ")[0]}>\n' for g in products)
    return made('xml', name, frame.replace('…', body), products, 'sku name qty price ean')


def by_category(r, name, count):
    """Categories, in which the items are."""
    groups, records = '', []
    for at, cat in enumerate(['Tools & more', 'Kitchen', 'Büro', 'Garden']):
        part = goods(r, count)
        for g in part:
            g.sku, g.cat = f'{at}-{g.sku}', cat
        records += part
        groups += f'<category name="{xa(cat)}">' + ''.join(f'<item><code>{g.sku}</code><name>{x(g.name)}</name><price>{g.price}</price><stock>{g.qty}</stock></item>' for g in part) + '</category>\n'
    return made('xml', name, f'{HEAD}<pricelist>\n<valid>2026-10-01</valid>\n{groups}</pricelist>', records, 'sku name price qty cat')


def languages(r, name, count):
    products = goods(r, count)
    body = '\n'.join(f'<product id="{g.id}"><sku>{g.sku}</sku><name xml:lang="de">{x(g.name)} (Stück)</name><name xml:lang="en">{x(g.name)} (pc)</name><price currency="EUR">{g.price}</price><price currency="CHF">{g.cost}</price><qty>{g.qty}</qty></product>' for g in products)
    for g in products:
        g.de, g.en = f'{g.name} (Stück)', f'{g.name} (pc)'
    return made('xml', name, f'{HEAD}<products>{body}</products>', products, 'id sku qty', 'de en price cost')


def warehouses(r, name, count):
    products = goods(r, count)
    body = '\n'.join(f'<article><no>{g.sku}</no><description>{x(g.name)}</description>' + ''.join(f'<stock warehouse="W{k}">{n}</stock>' for k, n in enumerate(g.stores, 1)) + f'<price>{g.price}</price></article>' for g in products)
    return made('xml', name, f'{HEAD}<inventory>\n{body}\n</inventory>', products, 'sku name price', 's1 s2 s3')


def attribute_list(r, name, count):
    products = goods(r, count)
    body = '\n'.join(f'<produkt><id>{g.id}</id><sku>{g.sku}</sku><nazwa><![CDATA[{g.name}]]></nazwa><cena>{g.price}</cena><stan>{g.qty}</stan><atrybuty><atrybut><nazwa>Kolor</nazwa><wartosc>{g.colour}</wartosc></atrybut><atrybut><nazwa>Waga</nazwa><wartosc>{g.kg}</wartosc></atrybut></atrybuty><zdjecia>{t("zdjecie", g.imgs)}</zdjecia></produkt>' for g in products)
    return made('xml', name, f'{HEAD}<produkty>\n{body}\n</produkty>', products, 'id sku name price qty', 'colour kg imgs')


def prefixed(r, name, count):
    products = goods(r, count)
    body = ''.join(f'<ns2:stockItem><ns2:itemNumber>{g.sku}</ns2:itemNumber><ns2:description>{x(g.name)}</ns2:description><ns2:available>{g.qty}</ns2:available><ns2:unitPrice currency="EUR">{g.price}</ns2:unitPrice></ns2:stockItem>' for g in products)
    return made('xml', name, f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?><ns2:stockReport xmlns:ns2="http://erp.example/v2"><ns2:created>2026-10-02</ns2:created>{body}</ns2:stockReport>', products, 'sku name qty price')


def with_deleted(r, name, count):
    products = goods(r, count)
    body = ''.join(f'<product><sku>{g.sku}</sku><title>{x(g.name)}</title><qty>{g.qty}</qty><price>{g.price}</price></product>\n' for g in products)
    gone = ''.join(f'<product><sku>OLD-{k}</sku></product>' for k in range(2))
    return made('xml', name, f'{HEAD}<feed>\n<products>\n{body}</products>\n<deleted>{gone}</deleted>\n</feed>', products, 'sku name qty price')


def gs1_report(r, name, count):
    products = goods(r, count)
    body = ''.join(f'<inventoryItemLocationInformation><transactionalTradeItem><gtin>{g.ean}</gtin><additionalTradeItemIdentification additionalTradeItemIdentificationTypeCode="SUPPLIER_ASSIGNED">{g.sku}</additionalTradeItemIdentification></transactionalTradeItem><inventoryLocation><gln>4000001000005</gln></inventoryLocation><inventoryStatusLineItem><inventoryDispositionCode>IN_STOCK</inventoryDispositionCode><quantity measurementUnitCode="EA">{g.qty}</quantity></inventoryStatusLineItem></inventoryItemLocationInformation>' for g in products)
    text = f'{HEAD}<inventory_report:inventoryReportMessage xmlns:inventory_report="urn:gs1:ecom:inventory_report:xsd:3"><StandardBusinessDocumentHeader><HeaderVersion>1.0</HeaderVersion></StandardBusinessDocumentHeader><inventoryReport><creationDateTime>2026-10-02T06:00:00Z</creationDateTime>{body}</inventoryReport></inventory_report:inventoryReportMessage>'
    return made('xml', name, text, products, 'ean sku qty')


def matrix(r, name, count):
    """Colours, in each of which are sizes."""
    out, records = '', []
    for g in goods(r, count, 2, 3):
        colours = ''
        for colour in ['black', 'rouge']:
            sizes = ''
            for p in rows([g]):
                v = type(p.v)(**vars(p.v))
                v.sku, v.colour = f'{v.sku}-{colour[:2]}', colour
                sizes += f'<size code="{v.sku}" label="{v.size}"><stock>{v.qty}</stock></size>'
                records.append(type(p)(p=g, v=v))
            colours += f'<colour name="{colour}">{sizes}</colour>'
        out += f'<style><number>{g.sku}</number><name>{x(g.name)}</name><price>{g.price}</price>{colours}</style>\n'
    return made('xml', name, f'{HEAD}<styles>\n{out}</styles>', records, 'v.sku v.size v.qty v.colour p.sku p.name p.price')


def spreadsheet(r, name, count, titled):
    products = goods(r, count)
    cell = lambda kind, text: f'<Cell><Data ss:Type="{kind}">{x(text)}</Data></Cell>'
    head = ''.join(cell('String', text) for text in ['Item no.', 'Description', 'EAN', 'Stock', 'Price'])
    body = ''.join(f'<Row>{cell("String", g.sku)}{cell("String", g.name)}{cell("String", g.ean)}{cell("Number", g.qty)}{cell("String", g.comma)}</Row>\n' for g in products)
    title = f'<Row>{cell("String", "Stock list of 2 October")}</Row><Row/>' if titled else ''
    text = f'<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="Stock"><Table>{title}<Row>{head}</Row>\n{body}</Table></Worksheet></Workbook>'
    return made('xml', name, text, products, 'sku name ean qty comma')


def nested_offer(r, name, count):
    """Prices for quantities stand within an item; a row is still an item."""
    products = goods(r, count)
    body = '\n'.join(f'<Product><ProductID>{g.id}</ProductID><VendorSku>{g.sku}</VendorSku><Title>{x(g.name)}</Title><Inventory><OnHand>{g.qty}</OnHand><Incoming date="{g.date}">{g.days}</Incoming></Inventory><Pricing><Unit>{g.price}</Unit><Msrp>{g.cost}</Msrp></Pricing><Dimensions unit="cm"><L>10</L><W>{g.n}</W></Dimensions></Product>' for g in products)
    return made('xml', name, f'{HEAD}<!-- made by VendorNet 4.2 -->\n<Catalog xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="catalog.xsd"><Header><Vendor>Vasto</Vendor><Count>{count}</Count></Header><Products>\n{body}\n</Products></Catalog>', products, 'id sku name qty date days price cost')


ROWS = HEAD + '<ROWSET>\n…\n</ROWSET>'
DUMP = '<?xml version="1.0"?>\n\n<mysqldump xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n<database name="erp">\n\t<table_data name="items">\n…\t</table_data>\n</database>\n</mysqldump>\n'
ADMIN = '<?xml version="1.0" encoding="utf-8"?>\n<!--\n- phpMyAdmin XML Dump\n- version 5.2.1\n-->\n<pma_xml_export version="1.0"><database name="erp">\n…</database></pma_xml_export>'
PRESTA = HEAD + '<prestashop xmlns:xlink="http://www.w3.org/1999/xlink">\n<products>\n…\n</products>\n</prestashop>'
SAP_B1 = HEAD + '<BOM><BO><AdmInfo><Object>4</Object><Version>2</Version></AdmInfo><Items>…</Items></BO></BOM>'
ERP = [
    (idoc, 'sap-matmas', 9), (bmecat, 'bmecat', 12), (commerceml, 'commerceml', 11), (promostandards, 'promostandards', 5), (odata_atom, 'odata-atom', 10), (rowset, 'ado-rowset', 13),
    (dataset, 'dotnet-dataset', 12), (named_fields, 'mysqldump', 10, DUMP, 'row', '<field name="{}">{}</field>'), (named_fields, 'phpmyadmin', 9, ADMIN, 'table name="items"', '<column name="{}">{}</column>'),
    (by_category, 'by-category', 5), (languages, 'languages', 9), (warehouses, 'warehouses', 10), (attribute_list, 'attribute-list', 11), (prefixed, 'jaxb', 12), (with_deleted, 'with-deleted', 10),
    (gs1_report, 'gs1-inventory', 8), (matrix, 'colours-and-sizes', 4), (spreadsheet, 'excel-2003', 10, False), (spreadsheet, 'excel-2003-titled', 12, True), (nested_offer, 'vendor-nested', 14),
    (flat, 'oracle-rowset', 16, ROWS, 'ROW', 'ITEM_NO=sku DESCRIPTION=name QTY_ON_HAND=qty LIST_PRICE=price BARCODE=ean NOTE=note'),
    (flat, 'access', 11, HEAD + '<dataroot xmlns:od="urn:schemas-microsoft-com:officedata" generated="2026-10-02T08:11:00">\n…\n</dataroot>', 'Stock_x0020_list', 'Item_x0020_no=sku Name=name On_x0020_hand=qty Price=price EAN=ean'),
    (flat, 'prestashop', 10, PRESTA, 'product', 'id=id reference=sku ean13=ean price=price quantity=qty name=name', {'cdata': 'id sku ean price qty name'}),
    (flat, 'sap-b1', 9, SAP_B1, 'row', 'ItemCode=sku ItemName=name OnHand=qty Price=price CodeBars=ean'),
    (flat, 'tally', 12, '<ENVELOPE><HEADER><VERSION>1</VERSION><STATUS>1</STATUS></HEADER><BODY><DATA><COLLECTION>\n…\n</COLLECTION></DATA></BODY></ENVELOPE>', 'STOCKITEM', 'NAME=name PARTNO=sku CLOSINGBALANCE=qty RATE=price PARENT=cat'),
    (by_attributes, 'sql-server-auto', 14, '<root>\n…\n</root>', 'Items', 'ItemId=id ItemNo=sku Descr=name Qty=qty Price=price Barcode=ean'),
    (flat, 'navision-utf16', 10, '<?xml version="1.0" encoding="utf-16"?>\n<Root>…</Root>', 'Item', 'No=sku Description=name Unit_Price=price Inventory=qty', None, 'utf-16'),
    (flat, 'one-item', 1, HEAD + '<products>…</products>', 'product', 'sku=sku name=name price=price stock=qty ean=ean'),
    (with_variants, 'items-of-a-model', 7, HEAD + '<export><models>…</models></export>', 'model', 'modelcode=sku title=name brand=brand material=colour', 'items', 'item', 'itemcode=v.sku size=v.size colour=v.colour qty=v.qty gtin=v.ean', 2),
]
