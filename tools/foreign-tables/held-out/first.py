"""The first set: which document, how many records."""
import first_json as j
import first_lines as l
import first_xml as x
import first_xml_erp as e

PLANS = [
    (x.google_rss, (40,)), (x.google_rss, (3,)), (x.google_atom, (25,)), (x.heureka, (60,)), (x.heureka, (4,)), (x.ceneo, (33,)),
    (x.yandex, (30, False)), (x.yandex, (30, True)), (x.idealo_variants, (20,)), (x.idealo_variants, (120,)), (x.some_without_variants, (25,)),
    (x.flat_variants, (30,)), (x.prestashop, (14,)), (x.magento_soap, (20,)), (x.amazon_feed, (18,)), (x.bmecat, (15, '2005')), (x.bmecat, (40, '1.2')),
    (x.cxml, (12,)), (x.ubl, (22,)), (x.icecat, (30,)), (x.attributes_only, (200,)), (x.attributes_only, (3, 'DATA')),
    (e.idoc, (10,)), (e.idoc_plants, (12,)), (e.odata_atom, (20,)), (e.navision_xmlport, (15,)), (e.mysql_xml, (25,)), (e.phpmyadmin, (20,)), (e.solr_add, (12,)),
    (e.access, (30,)), (e.ado, (25,)), (e.oracle, (40,)), (e.dataset, (16,)), (e.filemaker, (15,)), (e.spreadsheetml, (20,)), (e.odoo_xmlrpc, (12,)), (e.tally, (9,)),
    (e.by_category, (30,)), (e.encoded, (10, 'cp1252', 'windows-1252')), (e.encoded, (10, 'iso-8859-1', 'ISO-8859-1')), (e.encoded, (10, 'iso-8859-15', 'ISO-8859-15')),
    (e.encoded, (10, 'utf-16-be', 'UTF-16', b'\xfe\xff')), (e.encoded, (10, 'utf-8', '', b'\xef\xbb\xbf')), (e.encoded, (10, 'cp1252', '')), (e.encoded, (10, 'utf-8', 'utf-16')),
    (e.encoded, (10, 'cp1252', 'UTF-8')), (e.entities, (30,)), (e.noisy, (20,)), (e.mixed, (10,)), (e.xhtml, (10,)), (e.one_record, (False,)), (e.one_record, (True,)),
    (e.one_with_many, ()), (e.two_lists, (20,)), (e.split_lists, (24,)), (e.prefixes, (10,)), (e.attr_and_text, (14,)), (e.late_columns, (150,)), (e.recursive, (30,)),
    *[(e.broken, (how,)) for how in ('cut', 'entity', 'dtd-entity', 'junk-after', 'ampersand')],
    (j.plain, (50,)), (j.plain, (3,)), (j.shopify, (20,)), (j.shopify, (60,)), (j.shopify_graphql, (15,)), (j.graphql_nodes, (20,)), (j.woocommerce, (25,)), (j.bigcommerce, (15,)),
    (j.magento, (20,)), (j.akeneo, (12,)), (j.odata, (30,)), (j.odata_v2, (15,)), (j.odoo, (25,)), (j.algolia, (18,)), (j.elastic, (15,)), (j.jsonapi, (14,)), (j.airtable, (20,)),
    (j.firestore, (12,)), (j.mongo, (20,)), (j.keyed, (15, False)), (j.keyed, (15, True)), (j.arrays, (20, 'header')), (j.arrays, (20, 'split')), (j.arrays, (20, 'range')), (j.arrays, (20, 'columns')),
    (j.numbers, (40,)), (j.escapes, (15,)), (j.utf16, (10, 'utf-16-le', b'\xff\xfe')), (j.utf16, (10, 'utf-16-be', b'\xfe\xff')), (j.utf16, (10, 'utf-8-sig', b'')), (j.cp1252, (10,)), (j.deep, (12,)),
    (j.one, ('bare',)), (j.one, ('array',)), (j.one, ('wrapped',)), (j.two_lists, (20,)), (j.empty_first, (20,)), (j.mixed_types, (20,)), (j.same_path, (10,)), (j.dup_keys, (10,)), (j.pim_tree, (23,)), (j.prices_array, (12,)),
    *[(j.broken, (how,)) for how in ('cut', 'trailing-comma', 'nan', 'junk', 'jsonp', 'single-quotes')],
    (l.bigquery, (40,)), (l.plain, (100, '\n', True)), (l.plain, (10, '\r\n', False, False, 'crlf')), (l.plain, (10, '\n', True, True, 'bom')), (l.blank_lines, (20,)), (l.concatenated, (15,)), (l.record_separators, (10,)),
    (l.mongoexport, (25,)), (l.dynamo, (15,)), (l.bulk, (12,)), (l.shopify_bulk, (12,)), (l.variants, (25,)), (l.arrays, (15,)), (l.singer, (15,)), (l.kafka, (15,)), (l.late, (150,)), (l.one_line, ()), (l.error_line, (12,)), (l.cut, (12,)), (l.wrapped, (23,)),
    (l.asp, (40,)), (l.excel_html, (25,)), (l.latin1, (10,)), (l.named_entities, (10,)), (l.unclosed, (20,)), (l.layout, (15,)), (l.nested, (15,)), (l.thead, (15,)), (l.nbsp, (12,)), (l.rowspan, (9,)), (l.utf16_html, (10,)), (l.error_page, ()), (l.no_table, ()),
]
