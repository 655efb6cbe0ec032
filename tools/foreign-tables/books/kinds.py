"""The kinds of workbooks, each a function that draws one."""
import datetime

from books.cells import Book, Cell, Error, Sheet
from books.products import BRANDS, Column, draw_table

KINDS = {}


def kind(draw):
    KINDS[draw.__name__.replace('_', ' ')] = draw
    return draw


def simple(rows, notes=(), name='Sheet1', **options):
    return Book([Sheet(name, rows, **options)], [name], list(notes))


@kind
def plain(random):
    return simple(draw_table(random))


@kind
def zeros_by_format(random):
    return simple(draw_table(random, ['zeros', 'name', 'postcode', 'stock', 'ean zeros']))


@kind
def zeros_in_text(random):
    return simple(draw_table(random, ['text zeros', 'ean text', 'name', 'stock', 'text number']))


@kind
def barcodes(random):
    return simple(draw_table(random, ['number', 'ean', 'name', 'category', 'stock']))


@kind
def prices(random):
    return simple(draw_table(random, ['sku', 'name', 'price', 'weight', 'stock']))


@kind
def dates(random):
    return simple(draw_table(random, ['sku', 'name', 'date', 'updated', 'stock']))


@kind
def dates_1904(random):
    return Book(
        [Sheet('Sheet1', draw_table(random, ['sku', 'date', 'name', 'updated', 'stock']))],
        ['Sheet1'],
        [],
        is_1904=True,
    )


@kind
def times(random):
    return simple(draw_table(random, ['sku', 'name', 'opens', 'stock']))


@kind
def percentages_and_booleans(random):
    return simple(draw_table(random, ['sku', 'name', 'vat', 'active', 'price', 'stock']))


@kind
def errors(random):
    rows = draw_table(random, ['sku', 'name', 'price', 'stock', 'category'], random.randrange(8, 20))
    for row in random.sample(rows[1:], 3):
        row[random.choice([2, 4])] = Cell(
            Error(random.choice(['#N/A', '#DIV/0!', '#REF!', '#VALUE!', '#NAME?', '#NUM!']))
        )
    return simple(rows, ['errors'])


@kind
def formulas(random):
    rows = draw_table(random, ['sku', 'name', 'price', 'stock', 'date'], random.randrange(6, 16))
    rows[0] += [Cell(name) for name in ('Gross', 'Status', 'Label', 'In stock', 'Next', 'Twice')]
    for at, row in enumerate(rows[1:], 2):
        sku, name, price, stock, date = (cell.value for cell in row)
        gross = round(price * 119 / 100 + 1e-9, 2)
        row += [
            Cell(gross, '0.00', f'ROUND(C{at}*1.19,2)'),
            Cell('available' if stock > 0 else 'sold out', None, f'IF(D{at}>0,"available","sold out")'),
            Cell(f'{sku} & {name}', None, f'A{at}&" & "&B{at}'),
            Cell(stock > 0, None, f'D{at}>0'),
            Cell(date + datetime.timedelta(days=7), 'yyyy-mm-dd', f'E{at}+7'),
            Cell(stock * 2, None, f'D{at}*2'),
        ]
    return simple(rows)


@kind
def formulas_with_errors(random):
    rows = draw_table(random, ['sku', 'name', 'price', 'stock'], random.randrange(6, 16))
    rows[0].append(Cell('Price of one'))
    for at, row in enumerate(rows[1:], 2):
        price, stock = row[2].value, row[3].value
        row.append(Cell(round(price / stock, 4) if stock else Error('#DIV/0!'), None, f'ROUND(C{at}/D{at},4)'))
    rows[-1][3] = Cell(0)
    rows[-1][4] = Cell(Error('#DIV/0!'), None, f'C{len(rows)}/D{len(rows)}')
    return simple(rows, ['errors'])


@kind
def rich_texts(random):
    rows = draw_table(random, ['sku', 'name', 'description', 'stock'])
    for row in rows[1:]:
        pieces = random.choice(
            [('Boot ', 'new'), ('Hat', ' & ', 'scarf'), ('Größe ', '42', ' <weiß>\n'), ('  a ', ' b  ', 'c')]
        )
        row[2] = Cell(''.join(pieces), None, None, pieces)
    return simple(rows)


@kind
def other_scripts(random):
    return simple(
        draw_table(random, ['sku', 'foreign', 'category', 'stock']),
        name=random.choice(['Склад', '在庫', 'Bestände', 'Stock & price', "Joe's \"list\""]),
    )


@kind
def lines_and_quotes(random):
    return simple(draw_table(random, ['sku', 'name', 'description', 'text number', 'stock']))


@kind
def spaces(random):
    rows = draw_table(random, ['sku', 'name', 'description', 'stock'])
    for row in rows[1:]:
        row[2] = Cell(
            random.choice(
                ['  leading', 'trailing  ', ' \n ', ' ', 'two  spaces', 'no\u00a0break', '\u2028', 'zero\u200bwidth']
            )
        )
    return simple(rows)


@kind
def title_above(random):
    rows = draw_table(random)
    title = [[Cell('Price list 2026')], [Cell('Prices in EUR without VAT, valid from January')], []]
    title = title[: random.randrange(1, 4)]
    merged = [(0, 0, 0, len(rows[0]) - 1)]
    return simple(title + rows, ['titles'], header=len(title), merged=merged)


@kind
def details_above(random):
    """As exports of shops and ERP systems begin: names and values, then the table."""
    rows = draw_table(random, ['sku', 'name', 'category', 'price', 'stock', 'ean'])
    above = [
        [Cell('Stock report')],
        [Cell('Supplier:'), Cell('Alpina Ltd')],
        [Cell('Created:'), Cell(datetime.datetime(2026, 11, 25, 6, 30), 'dd.mm.yyyy hh:mm')],
        [],
    ]
    above = above[-random.randrange(2, 5) :]
    return simple(above + rows, ['titles'], header=len(above))


@kind
def logo_above(random):
    """Empty rows on top, where there is a picture."""
    rows = draw_table(random)
    count = random.randrange(1, 7)
    return simple([[] for _ in range(count)] + rows, header=count)


@kind
def blank_rows(random):
    rows = draw_table(random, count=random.randrange(10, 20))
    for at in sorted(random.sample(range(2, len(rows)), 3), reverse=True):
        rows.insert(at, [] if at % 2 else [Cell('')] * 3)
    return simple(rows)


@kind
def totals(random):
    rows = draw_table(random, ['sku', 'name', 'price', 'stock'], random.randrange(6, 30))
    total = sum(row[3].value for row in rows[1:])
    if random.random() < 0.5:
        rows.append([])
    rows.append([Cell('Total'), None, None, Cell(total, None, f'SUM(D2:D{len(rows)})')])
    return simple(rows, ['totals'])


COVERS = [
    (
        'Read me',
        ['How to read this file', 'Column A is our article number.', 'Stock is updated every night at 6:00.'],
    ),
    ('Terms', ['Terms of delivery', '', '1. Prices are without VAT.', '2. Minimum order 50 EUR.']),
    ('Contact', ['Alpina Ltd', 'Main street 1', 'orders@alpina.example']),
]


@kind
def cover_sheet(random):
    covers = random.sample(COVERS, random.randrange(1, 4))
    sheets = [Sheet(name, [[Cell(line)] if line else [] for line in lines], None) for name, lines in covers]
    return Book([*sheets, Sheet('Products', draw_table(random))], ['Products'])


@kind
def cover_with_columns(random):
    """Two columns that look like a small table."""
    rows = [
        [Cell('Company'), Cell('Alpina Ltd')],
        [Cell('Phone'), Cell('+49 30 1234')],
        [Cell('Date'), Cell(datetime.date(2026, 11, 25), 'dd.mm.yyyy')],
    ]
    stock = Sheet('Stock', draw_table(random))
    return Book([Sheet('Info', rows, None), stock], ['Stock'], ['other sheets'], choice={'sheets': ['Stock']})


@kind
def lookup_sheet_first(random):
    rows = [[Cell('ID'), Cell('Group')]] + [
        [Cell(at), Cell(text)] for at, text in enumerate(['Shoes', 'Hats', 'Tools'], 1)
    ]
    return Book(
        [Sheet('Groups', rows), Sheet('Articles', draw_table(random))],
        ['Articles'],
        ['other sheets'],
        choice={'sheets': ['Articles']},
    )


@kind
def sheets_by_brand(random):
    language = random.choice(['en', 'de'])
    sheets = [
        Sheet(brand, draw_table(random, language=language, count=random.randrange(3, 9)))
        for brand in BRANDS[: random.randrange(2, 5)]
    ]
    return Book(sheets, [BRANDS[0]], ['other sheets'], choice={'sheets': ['*']})


@kind
def empty_sheets_around(random):
    """As Excel made new books once: Sheet1, Sheet2, Sheet3."""
    sheets = [Sheet(f'Sheet{at}', [], None) for at in (1, 2, 3)]
    at = random.randrange(3)
    sheets[at] = Sheet(sheets[at].name, draw_table(random))
    return Book(sheets, [sheets[at].name])


@kind
def hidden_sheet(random):
    old = Sheet('Old', draw_table(random, language='en'), is_hidden=True)
    return Book([old, Sheet('New', draw_table(random, language='en'))], ['New'])


@kind
def hidden_rows(random):
    rows = draw_table(random, count=12)
    return simple(rows, ['hidden rows'], hidden_rows=set(random.sample(range(1, 13), 3)))


@kind
def hidden_columns(random):
    rows = draw_table(random, ['sku', 'name', 'price', 'stock', 'category'])
    return simple(rows, ['hidden columns'], hidden_columns={random.choice([2, 4])})


@kind
def filtered(random):
    rows = draw_table(random, ['sku', 'name', 'brand', 'stock'], 15)
    hidden = {at for at, row in enumerate(rows) if at > 0 and row[2].value != BRANDS[0]}
    return simple(rows, ['hidden rows'], hidden_rows=hidden, has_filter=True)


@kind
def panes_and_filter(random):
    return simple(draw_table(random, count=15), frozen=(1, random.randrange(3)), has_filter=True)


@kind
def table_object(random):
    return simple(draw_table(random), frozen=(1, 0), has_table=True)


@kind
def wide(random):
    rows = draw_table(random, ['sku', 'name', 'stock'], 6)
    for day in range(random.choice([60, 300, 800])):
        rows[0].append(Cell(f'Attribute {day + 1}'))
        for row in rows[1:]:
            row.append(Cell(random.choice([day, f'v{day}', 0.5])) if random.random() < 0.3 else None)
    return simple(rows)


@kind
def dates_as_names(random):
    """Stock by week, with dates above the columns."""
    rows = draw_table(random, ['sku', 'name', 'category'], 8)
    for week in range(6):
        rows[0].append(Cell(datetime.date(2026, 11, 2) + datetime.timedelta(days=7 * week), 'dd.mm.yyyy'))
        column = Column(random, 'stock')
        for at, row in enumerate(rows[1:]):
            row.append(column.draw(at))
    return simple(rows)


@kind
def long(random):
    count = random.choice([1500, 6000, 25000])
    return simple(draw_table(random, ['zeros', 'ean', 'foreign', 'category', 'price', 'stock', 'date'], count))


@kind
def empty_left_columns(random):
    rows = draw_table(random)
    left, top = random.randrange(1, 4), random.randrange(4)
    return simple([[] for _ in range(top)] + [[None] * left + row for row in rows], header=top)


@kind
def empty_column_between(random):
    rows = draw_table(random, ['sku', 'name', 'category', 'price', 'stock'])
    return simple([[*row[:2], None, *row[2:]] for row in rows])


@kind
def units_below_header(random):
    rows = draw_table(random, ['sku', 'name', 'price', 'stock'])
    rows.insert(1, [None, None, Cell('EUR'), Cell('pcs')])
    return simple(rows, ['second header'])


@kind
def groups_above_header(random):
    rows = draw_table(random, ['sku', 'name', 'price', 'stock', 'weight'])
    above = [Cell('Article'), None, Cell('Data'), None, None]
    return simple([above, *rows], header=1, merged=[(0, 0, 0, 1), (0, 2, 0, 4)])


@kind
def merged_categories(random):
    """A category that is merged down over its articles: only the first has it."""
    rows = draw_table(random, ['category', 'sku', 'name', 'stock'], 9)
    merged = []
    for start in (1, 4, 7):
        rows[start][0] = Cell(['Shoes', 'Hats', 'Tools'][start // 3])
        for at in (start + 1, start + 2):
            rows[at][0] = None
        merged.append((start, 0, start + 2, 0))
    return simple(rows, merged=merged)


@kind
def repeated_header(random):
    """As pages were pasted one below the other."""
    rows = draw_table(random, count=12)
    rows.insert(7, list(rows[0]))
    return simple(rows, ['repeated header'], repeated={7})


@kind
def long_digits(random):
    return simple(draw_table(random, ['sku', 'name', 'damaged', 'stock']), ['damaged digits'])


@kind
def mixed_types(random):
    return simple(draw_table(random, ['mixed sku', 'name', 'text number', 'price', 'stock']))


@kind
def styled_blanks(random):
    rows = draw_table(random)
    styled = [(len(rows) + at, column) for at in range(200) for column in range(len(rows[0]))]
    styled += [(at, len(rows[0]) + 2) for at in range(len(rows))]
    return simple(rows, styled=styled)


@kind
def sparse(random):
    rows = draw_table(random, ['sku', 'name', 'category', 'price', 'stock', 'description'], 14)
    for row in rows[1:]:
        for column in range(1, 6):
            if random.random() < 0.35:
                row[column] = None
    return simple(rows)


@kind
def extras(random):
    return simple(draw_table(random), has_extras=True)


@kind
def one_row(random):
    return simple(draw_table(random, count=1))


@kind
def two_columns(random):
    return simple(draw_table(random, ['ean', 'stock']))


@kind
def lines_in_header(random):
    rows = draw_table(random, ['sku', 'name', 'price', 'stock'])
    rows[0][3] = Cell('Stock\n(pieces)')
    rows[0][2] = Cell('Price, "net"')
    return simple(rows)


@kind
def no_table(random):
    """Has to be refused: there is nothing in it, or only text."""
    sheets = [Sheet('Sheet1', [], None)]
    return Book(sheets, None)


@kind
def formulas_without_results(random):
    """As programs write formulas that cannot compute them: the cells are empty for a reader."""
    rows = draw_table(random, ['sku', 'name', 'price', 'stock'])
    rows[0].append(Cell('Available'))
    for at, row in enumerate(rows[1:], 2):
        row.append(Cell(None, None, f'D{at}+0'))
    return simple(rows, ['no results'])
