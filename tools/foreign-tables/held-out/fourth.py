"""The fourth set: mostly plain files, in the shares in which suppliers have them; a third unusual, a sixth to be refused or told."""
from fourth_feeds import FEEDS
from fourth_json import PLAIN, UNUSUAL
from fourth_lines import HTML, LINES
from fourth_refused import ASKED, REFUSED
from fourth_xml import ERP


def make(r, write, *args):
    named = args[-1] if isinstance(args[-1], dict) else {}
    return write(r, *(args[:-1] if named else args), **named)


PLANS = [(make, plan) for plans in (FEEDS, ERP, PLAIN, UNUSUAL, LINES, HTML, REFUSED, ASKED) for plan in plans]
