"""Archives and compressed files with a table in them."""
import csv
import datetime
import gzip
import io
import os
import struct
import subprocess
import tempfile
import zipfile
from dataclasses import dataclass

from books.cells import Book, Sheet, table_of, texts_of
from books.dialects import Unseekable
from books.products import draw_table
from books.writers import write_openpyxl, write_xlsxwriter

ARCHIVES = {}


@dataclass
class Packed:
    data: bytes
    # The cells of the table that is read without a choice; None if the archive has to be refused.
    rows: list
    member: str = None
    sheets: list = None
    notes: tuple = ()
    # The choice that makes a table of it, and that table.
    choice: dict = None
    chosen_rows: list = None
    suffix: str = 'zip'


def archive(draw):
    ARCHIVES[draw.__name__.replace('_', ' ')] = draw
    return draw


def csv_of(random, delimiter=None, encoding='utf-8', kinds=None):
    sheet = Sheet('', draw_table(random, kinds or ['text zeros', 'name', 'category', 'price', 'stock']))
    out = io.StringIO(newline='')
    csv.writer(out, delimiter=delimiter or random.choice(',;\t')).writerows(
        row + [''] * (sheet.width() - len(row)) for row in texts_of(sheet.rows)
    )
    return out.getvalue().encode(encoding), table_of(sheet)


def xlsx_of(random, kinds=None):
    sheet = Sheet('Stock', draw_table(random, kinds or ['zeros', 'name', 'price', 'stock', 'date']))
    write = random.choice([write_openpyxl, write_xlsxwriter])
    return write(Book([sheet], ['Stock'])), table_of(sheet)


def zip_of(files, compression=zipfile.ZIP_DEFLATED, out=None, dates=None):
    out = out or io.BytesIO()
    with zipfile.ZipFile(out, 'w', compression) as target:
        for at, (name, data) in enumerate(files.items()):
            date = (dates or {}).get(name) or datetime.datetime(2026, 11, 20, 6, at % 60)
            info = zipfile.ZipInfo(name, date.timetuple()[:6])
            info.compress_type = compression
            if name.endswith('/'):
                info.external_attr = 0o40755 << 16 | 0x10
            target.writestr(info, data)
    return out.written if isinstance(out, Unseekable) else out.getvalue()


@archive
def one_csv(random):
    data, rows = csv_of(random)
    return Packed(zip_of({'stock.csv': data}), rows, 'stock.csv')


@archive
def one_csv_stored(random):
    data, rows = csv_of(random)
    return Packed(zip_of({'stock.txt': data}, zipfile.ZIP_STORED), rows, 'stock.txt')


@archive
def one_csv_streamed(random):
    data, rows = csv_of(random)
    return Packed(zip_of({'export.csv': data}, out=Unseekable()), rows, 'export.csv')


@archive
def one_workbook(random):
    data, rows = xlsx_of(random)
    return Packed(zip_of({'stock.xlsx': data}), rows, 'stock.xlsx', ['Stock'])


@archive
def workbook_of_several_sheets(random):
    sheets = [Sheet('Read me', [[], []], None), Sheet('Products', draw_table(random))]
    data = write_openpyxl(Book(sheets, ['Products']))
    return Packed(
        zip_of({'data/Products 2026.xlsx': data}), table_of(sheets[1]), 'data/Products 2026.xlsx', ['Products']
    )


@archive
def in_folders(random):
    data, rows = csv_of(random)
    files = {'export/': b'', 'export/2026/': b'', 'export/2026/stock.csv': data}
    return Packed(zip_of(files), rows, 'export/2026/stock.csv')


@archive
def from_a_mac(random):
    data, rows = csv_of(random)
    noise = b'\x00\x05\x16\x07\x00\x02\x00\x00Mac OS X        ' + bytes(80)
    files = {
        'Stock/': b'',
        'Stock/.DS_Store': bytes(200),
        'Stock/stock.csv': data,
        '__MACOSX/Stock/._stock.csv': noise,
    }
    return Packed(zip_of(files), rows, 'Stock/stock.csv')


@archive
def from_windows(random):
    data, rows = xlsx_of(random)
    files = {
        'Thumbs.db': bytes(300),
        'desktop.ini': b'[.ShellClassInfo]\r\n',
        'Preisliste.xlsx': data,
        '~$Preisliste.xlsx': b'\x05Anna' + bytes(160),
    }
    return Packed(zip_of(files), rows, 'Preisliste.xlsx', ['Stock'])


@archive
def beside_a_readme(random):
    data, rows = csv_of(random)
    name = random.choice(['readme.txt', 'README.md', 'LIESMICH.txt', 'terms.pdf', 'license.txt'])
    return Packed(
        zip_of({name: b'This archive has our stock.\nQuestions: stock@alpina.example\n', 'stock.csv': data}),
        rows,
        'stock.csv',
    )


@archive
def beside_pictures(random):
    data, rows = csv_of(random)
    files = {f'images/{at}.jpg': b'\xff\xd8\xff\xe0' + random.randbytes(300) for at in range(8)}
    return Packed(zip_of({**files, 'articles.csv': data}), rows, 'articles.csv')


@archive
def several_tables(random):
    stock, rows = csv_of(random)
    prices, _ = csv_of(random, kinds=['sku', 'price', 'date'])
    data = zip_of({'prices.csv': prices, 'stock.csv': stock})
    return Packed(data, None, choice={'member': 'stock.csv'}, chosen_rows=rows)


@archive
def newest_of_several(random):
    files, dates, tables = {}, {}, {}
    for day in random.sample(range(1, 25), 4):
        name = f'stock-2026-11-{day:02}.csv'
        files[name], tables[name] = csv_of(random)
        dates[name] = datetime.datetime(2026, 11, day, 5, 30)
    newest = max(files)
    return Packed(zip_of(files, dates=dates), None, choice={'member': 'stock-*.csv'}, chosen_rows=tables[newest])


@archive
def newest_by_name_only(random):
    """All packed in the same second."""
    files, tables = {}, {}
    for day in random.sample(range(1, 25), 3):
        name = f'out/inventory_202611{day:02}.csv'
        files[name], tables[name] = csv_of(random)
    dates = {name: datetime.datetime(2026, 11, 25) for name in files}
    return Packed(zip_of(files, dates=dates), None, choice={'member': 'inventory_*'}, chosen_rows=tables[max(files)])


@archive
def name_in_cp437(random):
    """Without the mark of UTF-8, as old programs of Windows pack."""
    data, rows = csv_of(random)
    packed = zip_of({'Bestaende.csv': data}).replace(b'Bestaende', 'Bestände1'.encode('cp437'))
    return Packed(packed, rows, 'Bestände1.csv')


@archive
def name_in_utf8(random):
    data, rows = csv_of(random)
    name = random.choice(['Bestände.csv', 'склад.csv', '在庫/在庫.csv', 'prix été.csv'])
    return Packed(zip_of({name: data}), rows, name)


@archive
def other_charset(random):
    data, rows = csv_of(random, ';', 'cp1252')
    words = ['Größe', 'Süß', 'Höhe', 'Müsli', 'Ärmel', 'Öl', 'Tür', 'Fuß'] * 3
    rows = [[*row, word] for row, word in zip(rows, words)]
    lines = data.decode('cp1252').splitlines()
    data = '\r\n'.join(f'{line};{row[-1]}' for line, row in zip(lines, rows)).encode('cp1252')
    return Packed(zip_of({'STOCK.TXT': data}), rows, 'STOCK.TXT', notes=('guessed charset',))


@archive
def utf16_in_zip(random):
    data, rows = csv_of(random, '\t', 'utf-16')
    return Packed(zip_of({'Unicode.txt': data}), rows, 'Unicode.txt')


@archive
def zip64(random):
    data, rows = csv_of(random)
    out = io.BytesIO()
    with zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED) as target:
        with target.open(zipfile.ZipInfo('stock.csv', (2026, 11, 20, 6, 0, 0)), 'w', force_zip64=True) as member:
            member.write(data)
    return Packed(out.getvalue(), rows, 'stock.csv')


@archive
def packed_by_info_zip(random):
    data, rows = csv_of(random)
    return Packed(run_zip({'stock.csv': data}), rows, 'stock.csv')


@archive
def with_a_comment(random):
    data, rows = csv_of(random)
    return Packed(zip_of({'stock.csv': data})[:-2] + struct.pack('<H', 5) + b'hello', rows, 'stock.csv')


@archive
def encrypted(random):
    data, _ = csv_of(random)
    return Packed(run_zip({'stock.csv': data}, '-P', 'secret'), None)


@archive
def archive_in_archive(random):
    data, _ = csv_of(random)
    return Packed(zip_of({'inner.zip': zip_of({'stock.csv': data})}), None)


@archive
def without_a_table(random):
    return Packed(
        zip_of({'logo.png': b'\x89PNG\r\n\x1a\n' + random.randbytes(200), 'readme.txt': b'Nothing here.\n'}), None
    )


@archive
def empty_archive(random):
    return Packed(zip_of({}), None)


@archive
def cut_off(random):
    data, _ = csv_of(random)
    packed = zip_of({'stock.csv': data})
    return Packed(packed[: len(packed) * 2 // 3], None)


@archive
def gzip_in_zip(random):
    data, rows = csv_of(random)
    return Packed(zip_of({'stock.csv.gz': gzip.compress(data, mtime=0)}), rows, 'stock.csv.gz')


@archive
def csv_gzip(random):
    data, rows = csv_of(random)
    return Packed(gzip.compress(data, mtime=0), rows, suffix='csv.gz')


@archive
def csv_zstd(random):
    data, rows = csv_of(random)
    options = random.choice([['-19'], ['--no-check'], ['-1', '--no-content-size']])
    return Packed(run(['zstd', '-c', *options], data), rows, suffix='csv.zst')


@archive
def workbook_gzip(random):
    data, rows = xlsx_of(random)
    return Packed(gzip.compress(data, mtime=0), rows, sheets=['Stock'], suffix='xlsx.gz')


@archive
def two_gzips_joined(random):
    data, rows = csv_of(random)
    middle = len(data) // 2
    return Packed(
        gzip.compress(data[:middle], mtime=0) + gzip.compress(data[middle:], mtime=0), rows, suffix='csv.gz'
    )


def run(command, stdin=b''):
    return subprocess.run(command, input=stdin, capture_output=True, check=True, timeout=60).stdout


def run_zip(files, *options):
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files.items():
            with open(os.path.join(folder, name), 'wb') as file:
                file.write(data)
        path = os.path.join(folder, 'out.zip')
        subprocess.run(['zip', '-q', '-X', *options, path, *files], cwd=folder, check=True, timeout=60)
        with open(path, 'rb') as file:
            return file.read()
