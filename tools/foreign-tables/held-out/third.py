"""The third set: documents of other programs and versions than in the first two, from templates."""
import third_dumps as dumps
import third_json as json
import third_lines as lines
import third_refused as refused
import third_xml as xml
from third_model import build

LISTS = [
    xml.FEEDS, xml.SHOPS, xml.ERP, dumps.DATABASES, dumps.LANGUAGES, dumps.SPREADSHEETS,
    json.MARKETS, json.SHOPS, json.ERP, json.TABLES, lines.LINES, lines.HTML,
    refused.NO_TABLE, refused.DAMAGED, refused.ASK,
]


def make(r, form, name, template, n, options):
    return build(r, form, name, template, n, **options)


PLANS = [(make, plan) for plans in LISTS for plan in plans]
