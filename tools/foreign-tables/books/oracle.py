"""Reads a workbook back with another program, so that its truth is checked too."""
import datetime
import io
import math
import re

import openpyxl
import pandas
import xlrd

from books.cells import Error, has_only_zeros


def read_xlsx(data):
    workbook = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
    return {
        # LibreOffice adds the language to formats of its own.
        sheet.title: [
            [(cell.value, cell.number_format.removeprefix('[$-409]')) for cell in row] for row in sheet.iter_rows()
        ]
        for sheet in workbook.worksheets
    }


def read_ods(data):
    frames = pandas.read_excel(io.BytesIO(data), None, engine='odf', header=None, dtype=object, na_filter=False)
    return {
        name: [[(value, None) for value in row] for row in frame.values.tolist()] for name, frame in frames.items()
    }


def read_xls(data):
    workbook = xlrd.open_workbook(file_contents=data, formatting_info=True)
    sheets = {}
    for sheet in workbook.sheets():
        sheets[sheet.name] = [
            [(value_of(workbook, cell), pattern_of(workbook, cell)) for cell in sheet.row(row)]
            for row in range(sheet.nrows)
        ]
    return sheets


def value_of(workbook, cell):
    if cell.ctype == xlrd.XL_CELL_DATE:
        return xlrd.xldate_as_datetime(cell.value, workbook.datemode)
    if cell.ctype == xlrd.XL_CELL_ERROR:
        return xlrd.error_text_from_code[cell.value]
    return bool(cell.value) if cell.ctype == xlrd.XL_CELL_BOOLEAN else cell.value


def pattern_of(workbook, cell):
    return workbook.format_map[workbook.xf_list[cell.xf_index].format_key].format_str


READERS = {'xlsx': read_xlsx, 'xlsm': read_xlsx, 'ods': read_ods, 'xls': read_xls}


def find_differences(data, suffix, book):
    """What another program finds that is not in the book."""
    found = READERS[suffix](data)
    names = [sheet.name for sheet in book.sheets]
    if list(found) != names:
        return [f'sheets {list(found)} for {names}']
    differences = []
    for sheet in book.sheets:
        rows = found[sheet.name]
        for at in range(max(len(rows), len(sheet.rows))):
            cells = sheet.rows[at] if at < len(sheet.rows) else []
            read = rows[at] if at < len(rows) else []
            for column in range(max(len(cells), len(read))):
                cell = cells[column] if column < len(cells) else None
                value, pattern = read[column] if column < len(read) else (None, None)
                if not is_same(cell and cell.value, value) or not is_same_format(cell, pattern):
                    differences.append(f'{sheet.name} {at + 1}:{column + 1}: {value!r} {pattern!r} for {cell!r}')
    return differences


def is_same_format(cell, pattern):
    """Only numbers are read by their format; None is for books of which pandas does not tell it."""
    if pattern is None or cell is None or not isinstance(cell.value, (int, float)):
        return True
    return has_only_zeros(cell.format) == has_only_zeros(pattern)


def is_same(value, read):
    if value in (None, ''):
        return read in (None, '') or read is pandas.NaT or (isinstance(read, float) and math.isnan(read))
    if isinstance(value, bool):
        return read is value or read == str(value).upper() or read == int(value)
    if isinstance(value, str):
        # Of OpenDocument, pandas loses errors and the ends of lines, and puts comments ahead of texts.
        if isinstance(read, float) and math.isnan(read):
            return isinstance(value, Error)
        texts = [re.sub(r'_x000D_|[\r\n\t]', '', text) for text in (str(read), value)]
        return texts[0] == texts[1] or texts[0].endswith(f'Ask before ordering{texts[1]}')
    if isinstance(value, datetime.datetime):
        return to_seconds(read) == value
    if isinstance(value, datetime.date):
        return to_seconds(read) == datetime.datetime.combine(value, datetime.time(0))
    if isinstance(value, datetime.time):
        return read == value or (isinstance(read, datetime.datetime) and read.time() == value)
    return not isinstance(read, (str, bool)) and float(read) == float(value)


def to_seconds(read):
    """To the next second: days as fractions are not exact."""
    if not isinstance(read, datetime.datetime):
        return read if not isinstance(read, datetime.date) else datetime.datetime.combine(read, datetime.time(0))
    read = pandas.Timestamp(read).round('s').to_pydatetime()
    return read
