"""Reads workbooks with openpyxl and pandas, and writes what they find as JSON: read-workbook.py FILE…

Numbers are written as numbers, so that it is seen what was read as a text.
"""

import json
import sys
import warnings

import openpyxl
import pandas


def by_openpyxl(path):
    # A warning would be told to people as a damaged file.
    warnings.simplefilter("error")
    book = openpyxl.load_workbook(path)
    return [
        {
            "name": sheet.title,
            "filter": sheet.auto_filter.ref,
            "frozen": sheet.freeze_panes,
            "formulas": sum(cell.data_type == "f" for row in sheet for cell in row),
            "shown": [[shown(cell) for cell in row] for row in sheet],
            "rows": [["" if cell.value is None else cell.value for cell in row] for row in sheet],
        }
        for sheet in book
    ]


def shown(cell):
    """The format by which a number is shown."""
    return cell.number_format if isinstance(cell.value, (int, float)) else None


def by_pandas(path):
    sheets = pandas.read_excel(path, sheet_name=None, header=None, dtype=object, keep_default_na=False)
    return [
        {"name": name, "rows": frame.where(frame.notna(), "").values.tolist()} for name, frame in sheets.items()
    ]


json.dump([{"openpyxl": by_openpyxl(path), "pandas": by_pandas(path)} for path in sys.argv[1:]], sys.stdout)
