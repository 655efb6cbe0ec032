"""Third set, XML: databases, scripting languages, spreadsheets, protocols."""
from third_xml import SOAP, x

XS = 'xmlns:xs="http://www.w3.org/2001/XMLSchema"'
SS = '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">%s</Workbook>'
CELL = '<Cell><Data ss:Type="%s">%s</Data></Cell>'


def cells(*values):
    return '<Row>' + ''.join(CELL % ('Number' if v.startswith('#') else 'String', v.lstrip('#')) for v in values) + '</Row>'


def plist(*pairs):
    return '<dict>' + ''.join(f'<key>{k}</key><{t}>{v}</{t}>' for k, t, v in pairs) + '</dict>'


def fods(*rows):
    return '<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body><office:spreadsheet><table:table table:name="Stock">' + ''.join(rows) + '</table:table></office:spreadsheet></office:body></office:document>'


def fods_row(*values):
    return '<table:table-row>' + ''.join(f'<table:table-cell office:value-type="string"><text:p>{v}</text:p></table:table-cell>' for v in values) + '</table:table-row>'


def member(*pairs):
    return '<value><struct>' + ''.join(f'<member><name>{k}</name><value><{t}>{v}</{t}></value></member>' for k, t, v in pairs) + '</struct></value>'


DATABASES = [
    ('xml', 'for-xml-raw', '⟦<row sku="«code»" descr="«name»" qty="«stock»" price="«price»"/>⟧', 15, {'may': True}),
    x('for-xml-elements', '<root>⟦<dbo.Items><Sku>«code»</Sku><Descr>«name»</Descr><Qty>«stock»</Qty><Note>«?note»</Note></dbo.Items>⟧</root>', 20),
    x('pg-table-to-xml', '<items xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n⟦<row>\n  <sku>«code»</sku>\n  <title>«name»</title>\n  <qty>«stock»</qty>\n  <gone xsi:nil="true"/>\n</row>\n\n⟧</items>', 20),
    x('pg-with-schema', f'<items xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="#"><xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"><xsd:complexType name="RowType"><xsd:sequence><xsd:element name="sku" type="xsd:string"/><xsd:element name="qty" type="xsd:int"/><xsd:element name="p" type="xsd:int"/></xsd:sequence></xsd:complexType></xsd:schema>⟦<row><sku>«code»</sku><qty>«stock»</qty><p>«price»</p></row>⟧</items>', 16, spread=1),
    x('heidisql', '<?xml version="1.0" encoding="UTF-8"?>\n<table name="items">⟦<row><field name="sku">«code»</field><field name="title">«name»</field><field name="qty">«stock»</field><field name="note" />\n</row>⟧</table>', 15, spread=1),
    x('sqlitestudio', '<results xmlns="http://sqlitestudio.pl/export"><columns><column><displayName>sku</displayName><type>TEXT</type></column><column><displayName>qty</displayName><type>INTEGER</type></column></columns><rows>⟦<row><value column="0">«code»</value><value column="1">«stock»</value></row>⟧</rows></results>', 15, spread=1),
    x('navicat', '<?xml version="1.0" standalone="yes"?>\n<RECORDS>⟦<RECORD><sku>«code»</sku><title>«name»</title><qty>«stock»</qty><price>«price»</price></RECORD>⟧</RECORDS>', 15, spread=1, end='\r\n'),
    x('datapacket', '<?xml version="1.0" standalone="yes"?><DATAPACKET Version="2.0"><METADATA><FIELDS><FIELD attrname="SKU" fieldtype="string" WIDTH="20"/><FIELD attrname="NAME" fieldtype="string" WIDTH="60"/><FIELD attrname="QTY" fieldtype="i4"/></FIELDS><PARAMS/></METADATA><ROWDATA>⟦<ROW SKU="«code»" NAME="«name»" QTY="«stock»"/>⟧</ROWDATA></DATAPACKET>', 15),
    x('vfp', '<?xml version = "1.0" encoding="Windows-1252" standalone="yes"?>\n<VFPData><xsd:schema id="VFPData" xmlns:xsd="http://www.w3.org/2001/XMLSchema"><xsd:element name="stock"><xsd:complexType><xsd:sequence><xsd:element name="sku"/><xsd:element name="name"/></xsd:sequence></xsd:complexType></xsd:element></xsd:schema>⟦<stock><sku>«code»</sku><name>«name»</name><qty>«stock»</qty></stock>⟧</VFPData>', 15, enc='cp1252', spread=1),
    x('filemaker-result', '<?xml version="1.0" encoding="UTF-8" ?><FMPXMLRESULT xmlns="http://www.filemaker.com/fmpxmlresult"><ERRORCODE>0</ERRORCODE><PRODUCT BUILD="1" NAME="FileMaker" VERSION="19"/><DATABASE DATEFORMAT="D.m.yyyy" LAYOUT="" NAME="L.fmp12" RECORDS="9" TIMEFORMAT="k:mm:ss "/><METADATA><FIELD EMPTYOK="YES" MAXREPEAT="1" NAME="Artikel" TYPE="TEXT"/><FIELD EMPTYOK="YES" MAXREPEAT="1" NAME="Bezeichnung" TYPE="TEXT"/><FIELD EMPTYOK="YES" MAXREPEAT="1" NAME="Bestand" TYPE="NUMBER"/><FIELD EMPTYOK="YES" MAXREPEAT="1" NAME="Bemerkung" TYPE="TEXT"/></METADATA><RESULTSET FOUND="9">⟦<ROW MODID="2" RECORDID="«-at»"><COL><DATA>«code»</DATA></COL><COL><DATA>«name»</DATA></COL><COL><DATA>«stock»</DATA></COL><COL><DATA>«note»</DATA></COL></ROW>⟧</RESULTSET></FMPXMLRESULT>', 9),
    x('filemaker-dso', '<FMPDSORESULT xmlns="http://www.filemaker.com/fmpdsoresult"><ERRORCODE>0</ERRORCODE><DATABASE>L</DATABASE><LAYOUT/>⟦<ROW MODID="1" RECORDID="«at»"><Artikel>«code»</Artikel><Bestand>«stock»</Bestand></ROW>⟧</FMPDSORESULT>', 13),
    x('sas', '<?xml version="1.0" encoding="windows-1252" ?>\n<TABLE>⟦<ITEMS><sku> «-code» </sku><code>«code»</code><qty>«stock»</qty><cost Missing="."/></ITEMS>⟧</TABLE>', 13, enc='cp1252', spread=1),
    x('sharepoint', "<xml xmlns:s='uuid:B' xmlns:dt='uuid:C' xmlns:rs='urn:schemas-microsoft-com:rowset' xmlns:z='#RowsetSchema'><rs:data ItemCount=\"13\">⟦<z:row ows_Title=\"«code»\" ows_Qty=\"«stock»\" ows_Name=\"«name»\"/>⟧</rs:data></xml>", 13, spread=1),
    x('odata-v3-atom', '<feed xml:base="http://h/s/" xmlns="http://www.w3.org/2005/Atom" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"><id>http://h/s/Items</id><title type="text">Items</title><updated>2026-11-20T00:00:00Z</updated>⟦<entry><id>http://h/s/Items(«-at»)</id><category term="N.Item" scheme="s"/><title/><author><name/></author><content type="application/xml"><m:properties><d:ItemNo>«code»</d:ItemNo><d:Description>«name»</d:Description><d:Inventory m:type="Edm.Decimal">«stock»</d:Inventory><d:Blocked m:null="true"/></m:properties></content></entry>⟧</feed>', 13, spread=1),
    x('gsx', '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:gsx="http://schemas.google.com/spreadsheets/2006/extended"><id>x</id><title type="text">Sheet1</title>⟦<entry><id>«-link»</id><title type="text">«-code»</title><gsx:sku>«code»</gsx:sku><gsx:qty>«stock»</gsx:qty><gsx:descr>«name»</gsx:descr></entry>⟧</feed>', 13, spread=1),
    x('solr-response', '<response><lst name="responseHeader"><int name="status">0</int><int name="QTime">1</int></lst><result name="response" numFound="13" start="0">⟦<doc><str name="sku">«code»</str><str name="name">«name»</str><int name="qty">«stock»</int><arr name="cat"><str>«group»</str></arr></doc>⟧</result></response>', 13, spread=1),
]
LANGUAGES = [
    x('powershell-convertto', '<?xml version="1.0" encoding="utf-8"?><Objects>⟦<Object Type="System.Management.Automation.PSCustomObject"><Property Name="Sku" Type="System.String">«code»</Property><Property Name="Qty" Type="System.String">«stock»</Property><Property Name="Name" Type="System.String">«name»</Property></Object>⟧</Objects>', 13, spread=1),
    x('clixml', '<Objs Version="1.1.0.1" xmlns="http://schemas.microsoft.com/powershell/2004/04">⟦<Obj RefId="«-at»"><TNRef RefId="0"/><MS><S N="Sku">«code»</S><S N="Qty">«stock»</S><S N="Name">«name»</S></MS></Obj>⟧</Objs>', 13, spread=1),
    x('xmlrpc', '<?xml version="1.0"?><methodResponse><params><param><value><array><data>⟦' + member(('sku', 'string', '«code»'), ('name', 'string', '«name»'), ('qty', 'int', '«stock»'), ('price', 'double', '«price»')) + '⟧</data></array></value></param></params></methodResponse>', 13, spread=1),
    x('xmlrpc-wrapped', '<?xml version="1.0"?><methodResponse><params><param><value><struct><member><name>total</name><value><int>12</int></value></member><member><name>items</name><value><array><data>⟦' + member(('code', 'string', '«code»'), ('stock', 'i4', '«stock»')) + '⟧</data></array></value></member></struct></value></param></params></methodResponse>', 13),
    x('plist', '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd"><plist version="1.0"><array>⟦' + plist(('sku', 'string', '«code»'), ('name', 'string', '«name»'), ('qty', 'integer', '«stock»')) + '⟧</array></plist>', 13, spread=1),
    x('wddx', "<wddxPacket version='1.0'><header/><data><recordset rowCount='9' fieldNames='SKU,NAME,QTY' type='coldfusion.sql.QueryTable'><field name='SKU'>⟦<string>«code»</string>⟧</field><field name='NAME'>⟦<string>«name»</string>⟧</field><field name='QTY'>⟦<number>«stock»</number>⟧</field></recordset></data></wddxPacket>", 9),
    x('php-numbered', '<?xml version="1.0"?>\n<root>⟦<item«-at»><sku>«code»</sku><name>«name»</name><qty>«stock»</qty></item«-at»>⟧</root>', 13),
    x('python-dicttoxml', '<root>⟦<item type="dict"><sku type="str">«code»</sku><qty type="int">«stock»</qty><price type="float">«price»</price><note type="null"></note></item>⟧</root>', 13),
    x('dotnet-array', '<ArrayOfStockItem xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema">⟦<StockItem><Id>«id»</Id><Sku>«code»</Sku><Qty>«stock»</Qty><Tags><string>«colour»</string><string>b2b</string></Tags><Note xsi:nil="true"/></StockItem>⟧</ArrayOfStockItem>', 13, spread=1, soft=('colour',)),
    x('wcf', '<ArrayOfStockItem xmlns="http://schemas.datacontract.org/2004/07/N" xmlns:i="http://www.w3.org/2001/XMLSchema-instance">⟦<StockItem><Colours xmlns:a="http://schemas.microsoft.com/2003/10/Serialization/Arrays"><a:string>«colour»</a:string></Colours><Name>«name»</Name><Note i:nil="true"/><Sku>«code»</Sku></StockItem>⟧</ArrayOfStockItem>', 13, soft=('colour',)),
    x('soap-asmx', SOAP % '<GetStockResponse xmlns="http://tempuri.org/"><GetStockResult>⟦<StockLine><Item>«code»</Item><Qty>«stock»</Qty><Price>«price»</Price></StockLine>⟧</GetStockResult></GetStockResponse>', 15),
    x('soap-escaped', SOAP % '<GetXmlResponse xmlns="http://tempuri.org/"><GetXmlResult>&lt;items&gt;⟦&lt;item&gt;&lt;sku&gt;«code»&lt;/sku&gt;&lt;qty&gt;«stock»&lt;/qty&gt;&lt;/item&gt;⟧&lt;/items&gt;</GetXmlResult></GetXmlResponse>', 10, may=True),
    x('rpc-multiref', SOAP % '<ns1:getItemsResponse xmlns:ns1="urn:s" soap:encodingStyle="e"><return xmlns:soapenc="http://schemas.xmlsoap.org/soap/encoding/" soapenc:arrayType="ns1:Item[13]">⟦<item xsi:type="ns1:Item" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><sku xsi:type="xsd:string">«code»</sku><qty xsi:type="xsd:int">«stock»</qty></item>⟧</return></ns1:getItemsResponse>', 13),
    x('java-map', '<map>⟦<entry><string>«code»</string><int>«stock»</int></entry>⟧</map>', 12, may=True),
    x('crystal', '<CrystalReport xmlns="urn:crystal-reports:schemas:report-detail"><ReportHeader><Section SectionNumber="0"><Text Name="T1"><TextValue>Stock</TextValue></Text></Section></ReportHeader><Details Level="1">⟦<Section SectionNumber="0"><Field Name="Sku1" FieldName="{i.Sku}"><FormattedValue>«code»</FormattedValue><Value>«-code»</Value></Field><Field Name="Qty1" FieldName="{i.Qty}"><FormattedValue>«stock»</FormattedValue><Value>«-stock»</Value></Field></Section>⟧</Details></CrystalReport>', 12, spread=1, may=True),
    x('access-odbc', '<?xml version="1.0" encoding="UTF-8"?>\n<dataroot xmlns:od="urn:schemas-microsoft-com:officedata" generated="2026-11-20T10:00:00">⟦<Lager_x0020_2><Art_x002D_Nr>«code»</Art_x002D_Nr><Menge>«stock»</Menge><Preis>«price»</Preis><Notiz>«?note»</Notiz></Lager_x0020_2>⟧</dataroot>', 15, spread=1),
]
SPREADSHEETS = [
    x('ss-plain', SS % ('<Worksheet ss:Name="Stock"><Table>' + cells('SKU', 'Name', 'Qty') + '⟦' + cells('«code»', '«name»', '#«stock»') + '⟧</Table></Worksheet>'), 15),
    x('ss-magento', SS % ('<Worksheet ss:Name="Sheet 1"><ss:Table>' + cells('sku', 'qty', 'ean', 'group').replace('Row', 'ss:Row').replace('Cell', 'ss:Cell').replace('<Data', '<ss:Data').replace('</Data', '</ss:Data') + '⟦' + cells('«code»', '«stock»', '«ean»', '«group»') + '⟧</ss:Table></Worksheet>'), 15),
    x('ss-index-title', SS % ('<Worksheet ss:Name="Lager"><Table><Row><Cell ss:MergeAcross="2"><Data ss:Type="String">Lagerliste 20.11.2026</Data></Cell></Row><Row ss:Index="3"><Cell><Data ss:Type="String">Artikel</Data></Cell><Cell ss:Index="3"><Data ss:Type="String">Menge</Data></Cell><Cell><Data ss:Type="String">EAN</Data></Cell></Row>⟦<Row><Cell><Data ss:Type="String">«code»</Data></Cell><Cell ss:Index="3"><Data ss:Type="Number">«stock»</Data></Cell><Cell><Data ss:Type="String">«ean»</Data></Cell></Row>⟧</Table></Worksheet>'), 15),
    x('ss-two-sheets', SS % ('<Worksheet ss:Name="Info"><Table><Row><Cell><Data ss:Type="String">Read me first</Data></Cell></Row></Table></Worksheet><Worksheet ss:Name="Items"><Table>' + cells('SKU', 'Price', 'Stock') + '⟦' + cells('«code»', '«price»', '#«stock»').replace('"String">«price»', '"String">«price»') + '⟧</Table></Worksheet>'), 15),
    x('fods', fods(fods_row('SKU', 'Name', 'Qty'), '⟦', fods_row('«code»', '«name»', '«stock»'), '⟧', '<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>'), 15, spread=0),
    x('excel-xml-map', '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<data-set xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">⟦<record><SKU>«code»</SKU><Title>«name»</Title><Qty>«stock»</Qty></record>⟧</data-set>', 15, spread=1),
]
