"""What a cell holds, and the text that a reader has to make of it."""
import datetime
import re
from dataclasses import dataclass, field
from decimal import Decimal


class Error(str):
    """A value such as #N/A."""


@dataclass(frozen=True)
class Cell:
    value: object = None
    format: str = None
    # The formula of which the value is the result.
    formula: str = None
    # The text in pieces, of which every other one is bold.
    pieces: tuple = None


@dataclass
class Sheet:
    name: str
    # Lists of cells from A1 on; None for a cell that is not there.
    rows: list
    # The index of the row with the names of the columns; None if the sheet has no table.
    header: int = 0
    is_hidden: bool = False
    hidden_rows: set = field(default_factory=set)
    hidden_columns: set = field(default_factory=set)
    # Ranges as (row, column, last row, last column).
    merged: list = field(default_factory=list)
    # Where a frozen pane begins, as (row, column).
    frozen: tuple = None
    has_filter: bool = False
    has_table: bool = False
    has_extras: bool = False
    # Cells outside the table that have a format, but no value.
    styled: list = field(default_factory=list)
    # Indexes of rows below the header that a reader leaves out: they repeat it.
    repeated: set = field(default_factory=set)

    def width(self):
        return max((len(row) for row in self.rows), default=0)


@dataclass
class Book:
    sheets: list
    # The names of the sheets that are read without a choice; None if the book has to be refused.
    read: list
    # What has to be told; the names are those of the checker.
    notes: list = field(default_factory=list)
    # The setting that a supplier would change to have the right table, or another one.
    choice: dict = None
    is_1904: bool = False


def text_of(cell):
    if cell is None or cell.value is None:
        return ''
    value = cell.value
    if isinstance(value, bool):
        return 'TRUE' if value else 'FALSE'
    if isinstance(value, str):
        return str(value)
    if isinstance(value, datetime.datetime):
        is_midnight = value.time() == datetime.time(0)
        return (value.date() if is_midnight else value).isoformat()
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    return fill_zeros(cell.format, value) if has_only_zeros(cell.format) else shortest(value)


def shortest(number):
    """The shortest text that is read as the same number, without an exponent."""
    text = format(Decimal(repr(float(number))), 'f')
    return re.sub(r'\.?0+$', '', text) if '.' in text else text


TOKEN = re.compile(r'"([^"]*)"|\\(.)|([-/ ()])|(0)')


def has_only_zeros(pattern):
    """Whether a format consists of zeros and literals, such as 00000, 00000-0000 or "ART-"0000."""
    return bool(pattern) and '0' in pattern and TOKEN.sub('', pattern) == ''


def fill_zeros(pattern, number):
    """The number as such a format shows it."""
    tokens = list(TOKEN.finditer(pattern))
    zeros = sum(1 for token in tokens if token[4])
    digits = str(number).zfill(zeros)
    ahead = len(digits) - zeros
    shown = ''
    at = 0
    for token in tokens:
        if token[4]:
            end = at + 1 + (ahead if at == 0 else 0)
            shown += digits[at:end]
            at = end
        else:
            shown += token[1] if token[1] is not None else token[2] or token[3]
    return shown


def texts_of(rows):
    """The rows as texts, without the empty ends of rows and of the sheet."""
    lines = [trim([text_of(cell) for cell in row]) for row in rows]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def trim(texts):
    end = len(texts)
    while end > 0 and texts[end - 1] == '':
        end -= 1
    return texts[:end]


def table_of(sheet):
    """The header and the rows below it as texts, without blank rows, all as wide as the widest."""
    lines = texts_of(sheet.rows)
    rows = [line for at, line in enumerate(lines) if at >= sheet.header and line and at not in sheet.repeated]
    width = max(len(row) for row in rows)
    rows = [row + [''] * (width - len(row)) for row in rows]
    return rows
