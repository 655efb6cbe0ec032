"""Programs that write workbooks."""
import datetime
import io

import openpyxl
import pandas
import xlsxwriter
from openpyxl.comments import Comment
from openpyxl.styles import PatternFill
from openpyxl.utils.datetime import CALENDAR_MAC_1904
from openpyxl.worksheet.table import Table, TableStyleInfo
from openpyxl.utils import get_column_letter
from xlsxwriter.utility import xl_range

from books.cells import Cell, Error


def range_of(sheet):
    return xl_range(sheet.header, 0, len(sheet.rows) - 1, len(sheet.rows[sheet.header]) - 1)


def write_openpyxl(book):
    workbook = openpyxl.Workbook()
    workbook.remove(workbook.active)
    if book.is_1904:
        workbook.epoch = CALENDAR_MAC_1904
    for sheet in book.sheets:
        worksheet = workbook.create_sheet(sheet.name)
        for row, cells in enumerate(sheet.rows, 1):
            for column, cell in enumerate(cells, 1):
                if cell is None:
                    continue
                target = worksheet.cell(row, column)
                target.value = f'={cell.formula}' if cell.formula else cell.value
                if isinstance(cell.value, str) and not cell.formula and not isinstance(cell.value, Error):
                    target.data_type = 's'
                if cell.format:
                    target.number_format = cell.format
        for row, column in sheet.styled:
            worksheet.cell(row + 1, column + 1).fill = PatternFill('solid', fgColor='FFEEEEEE')
        for row in sheet.hidden_rows:
            worksheet.row_dimensions[row + 1].hidden = True
        for column in sheet.hidden_columns:
            worksheet.column_dimensions[get_column_letter(column + 1)].hidden = True
        for row, column, last_row, last_column in sheet.merged:
            worksheet.merge_cells(None, row + 1, column + 1, last_row + 1, last_column + 1)
        if sheet.is_hidden:
            worksheet.sheet_state = 'hidden'
        if sheet.frozen:
            worksheet.freeze_panes = worksheet.cell(sheet.frozen[0] + 1, sheet.frozen[1] + 1)
        if sheet.has_filter:
            worksheet.auto_filter.ref = range_of(sheet)
        if sheet.has_table:
            table = Table(displayName='Products', ref=range_of(sheet))
            table.tableStyleInfo = TableStyleInfo(name='TableStyleMedium9', showRowStripes=True)
            worksheet.add_table(table)
        if sheet.has_extras:
            worksheet['B2'].comment = Comment('Ask before ordering', 'Alpina')
            worksheet['C2'].hyperlink = 'https://alpina.example/'
            worksheet.print_title_rows = '1:1'
            worksheet.oddFooter.center.text = 'Page &P'
    workbook.active = next(at for at, sheet in enumerate(book.sheets) if not sheet.is_hidden)
    out = io.BytesIO()
    workbook.save(out)
    return out.getvalue()


def write_xlsxwriter(book, **options):
    out = io.BytesIO()
    workbook = xlsxwriter.Workbook(out, {'in_memory': not options, 'date_1904': book.is_1904, **options})
    formats = {}

    def format_of(pattern, **properties):
        key = (pattern, *properties)
        if key not in formats:
            formats[key] = workbook.add_format({**({'num_format': pattern} if pattern else {}), **properties})
        return formats[key]

    bold = format_of(None, bold=True)
    for sheet in book.sheets:
        worksheet = workbook.add_worksheet(sheet.name)
        for column in sheet.hidden_columns:
            worksheet.set_column(column, column, None, None, {'hidden': True})
        merged = {(row, column): rest for row, column, *rest in sheet.merged}
        styled = {}
        for row, column in sheet.styled:
            styled.setdefault(row, []).append(column)
        for row in range(max([len(sheet.rows), *(at + 1 for at in styled)])):
            if row in sheet.hidden_rows:
                worksheet.set_row(row, None, None, {'hidden': True})
            for column, cell in enumerate(sheet.rows[row] if row < len(sheet.rows) else []):
                if (row, column) in merged and not options:
                    worksheet.merge_range(row, column, *merged[row, column], '')
                if cell is not None:
                    write_cell(worksheet, row, column, cell, format_of, bold)
            for column in styled.get(row, []):
                worksheet.write_blank(row, column, None, format_of(None, bg_color='#EEEEEE'))
        if sheet.is_hidden:
            worksheet.hide()
        if sheet.frozen:
            worksheet.freeze_panes(*sheet.frozen)
        if sheet.has_filter:
            worksheet.autofilter(range_of(sheet))
        if sheet.has_table and not options:
            columns = [{'header': cell.value} for cell in sheet.rows[sheet.header]]
            worksheet.add_table(range_of(sheet), {'columns': columns})
        if sheet.has_extras:
            worksheet.write_comment(1, 1, 'Ask before ordering')
            worksheet.data_validation(1, 2, 9, 2, {'validate': 'list', 'source': ['Shoes', 'Hats']})
            worksheet.conditional_format(1, 3, 9, 3, {'type': 'cell', 'criteria': '>', 'value': 5, 'format': bold})
            worksheet.set_footer('&CPage &P')
    first = next(at for at, sheet in enumerate(book.sheets) if not sheet.is_hidden)
    workbook.worksheets()[first].activate()
    workbook.worksheets()[first].set_first_sheet()
    workbook.close()
    return out.getvalue()


def write_cell(worksheet, row, column, cell, format_of, bold):
    value = cell.value
    is_date = isinstance(value, (datetime.date, datetime.time))
    style = format_of(cell.format) if cell.format else None
    if cell.formula:
        if is_date:
            value = (value - datetime.date(1899, 12, 30)).days
        worksheet.write_formula(row, column, f'={cell.formula}', style, '' if value is None else value)
    elif cell.pieces:
        # A piece without a format may stand only beside one that has one.
        pieces = [part for at, piece in enumerate(cell.pieces) for part in ([bold, piece] if at % 2 else [piece])]
        worksheet.write_rich_string(row, column, *pieces)
    elif isinstance(value, Error):
        worksheet.write_formula(row, column, '=NA()', style, str(value))
    elif isinstance(value, bool):
        worksheet.write_boolean(row, column, value, style)
    elif isinstance(value, str):
        worksheet.write_string(row, column, value, style)
    elif is_date:
        worksheet.write_datetime(row, column, value, style)
    else:
        worksheet.write_number(row, column, value, style)


def write_pandas(book, engine, with_index=False):
    """The tables as frames; pandas decides on formats."""
    out = io.BytesIO()
    with pandas.ExcelWriter(out, engine=engine) as writer:
        for sheet in book.sheets:
            header, *rows = sheet.rows
            frame = pandas.DataFrame(
                [[cell.value if cell else None for cell in row] for row in rows],
                columns=[cell.value for cell in header],
                dtype=object,
            )
            frame.to_excel(writer, sheet_name=sheet.name, index=with_index)
    return out.getvalue()


def as_pandas_writes(book, with_index=False):
    """The book without what frames do not have."""
    for sheet in book.sheets:
        # A text that begins with an equals sign becomes a formula.
        plain = lambda value: value.lstrip('=') if isinstance(value, str) else value
        sheet.rows = [[cell and Cell(plain(cell.value)) for cell in row] for row in sheet.rows]
        if with_index:
            for at, row in enumerate(sheet.rows):
                row.insert(0, Cell(at - 1) if at else None)
    return book
