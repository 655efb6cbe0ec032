"""The second set: which document, how many records."""
import second_html as h
import second_json as j
import second_xml as x

PLANS = [
    (x.ebay, (12,)), (x.skroutz, (20,)), (x.iof, (15,)), (x.shoptet, (18,)), (x.colours_sizes, (10,)), (x.onix, (12,)), (x.qbxml, (20,)), (x.exact, (15,)), (x.pohoda, (20,)), (x.commerceml, (14,)),
    (x.diffgram, (20,)), (x.ssrs, (30,)), (x.locations, (12,)), (x.texts, (15,)), (x.letter_case, (10,)), (x.grouped, (12,)), (x.department, (18,)), (x.two_stores, (16,)), (x.wp, (8,)), (x.matterhorn, (15,)),
    (x.gs1, (12,)), (x.trimmed, (10,)), (x.small_list, ()), *[(x.refuse, (how,)) for how in ('error', 'empty', 'blog', 'orders', 'cut-cdata', 'wrong-close', 'twice', 'control')],
    (j.square, (12,)), (j.squarespace, (15,)), (j.ecwid, (15,)), (j.medusa, (12,)), (j.hydra, (15,)), (j.commercetools, (12,)), (j.contentful, (12,)), (j.salesforce, (12,)), (j.quickbooks, (15,)), (j.zoho, (12,)),
    (j.couch, (12,)), (j.phpmyadmin, (12,)), (j.dbeaver, (10,)), (j.sqldeveloper, (12,)), (j.es_sql, (12,)), (j.gviz, (10,)), (j.bq_rows, (10,)), (j.datatables, (15,)), (j.socrata, (12,)), (j.stock_by_warehouse, (12,)),
    (j.by_department, (14,)), (j.departments, (14,)), (j.colours_sizes, (10,)), (j.single, ('x',)), (j.case_keys, (10,)), (j.uneven, (20,)), (j.sku_to_qty, (20,)), *[(j.refuse, (how,)) for how in ('error', 'empty', 'no-items', 'orders', 'shops-map', 'lock-file', 'users')],
    (j.debezium, (10,)), (j.elasticdump, (20,)), (j.dynamo_export, (10,)), (j.growing, (20,)), (j.utf16_lines, (10,)), (j.glued, (15,)), (j.pages, (13,)), (j.commas, (10,)), (j.half_line, (12,)),
    (h.sqlplus, (25,)), (h.upper, (15,)), (h.calc, (12,)), (h.php, (20,)), (h.text_format, (12,)), (h.two_head, (12,)), (h.latin2, (10,)), (h.login, ()), (h.cut, ()),
]
