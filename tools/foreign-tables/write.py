#!/usr/bin/env python3
"""Writes tables with other programs, as suppliers' systems do, for src/server/files/foreign-tables.test.ts.

Usage: python3 tools/foreign-tables/write.py src/server/testing/fixtures/foreign-tables.json

Uses the programs that are installed: Python and pandas, sqlite3, psql, PHP, R, Ruby, jq, miller, awk and
LibreOffice, all from Debian (CONTRIBUTING.md). The output has, for each table, the cells that a reader has to
find, and the files that have them: the program with its options, and the bytes in base64.
"""
import base64
import csv
import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

TABLES = {
    'stock': [
        ['sku', 'name', 'category', 'quantity', 'price'],
        ['00417', 'Boot, leather', 'Shoes', '12', '89.90'],
        ['00418', 'Hat "Alpine"', 'Hats', '0', '24.50'],
        ['00419', 'Sock', 'Shoes > Socks', '140', '4.95'],
        ['00420', '', 'Hats', '7', '1200.00'],
    ],
    'accents': [
        ['sku', 'name', 'quantity'],
        ['K-1', 'Schlüsselanhänger', '5'],
        ['K-2', 'Größe 42; weiß', '17'],
        ['K-3', 'Küchenmöbel für Gärten', '0'],
        ['K-4', 'Folie 10 µm', '44'],
    ],
    'lines': [
        ['sku', 'description', 'qty'],
        ['A-1', 'First line\nsecond line', '3'],
        ['A-2', 'One', '4'],
        ['A-3', "It's 5 | 6", '5'],
        ['A-4', 'a\tb', '6'],
    ],
    'keys': [
        ['article', 'stock'],
        ['AB-1000', '5'],
        ['AB-1001', '0'],
        ['AB-1002', '17'],
        ['AB-1003', '2'],
        ['AB-1004', '9'],
    ],
    'czech': [
        ['kód', 'název', 'množství'],
        ['C-1', 'Dětské oblečení', '8'],
        ['C-2', 'Šroubovák křížový', '15'],
        ['C-3', 'Kuchyňský nůž', '0'],
        ['C-4', 'Pánské tričko s potiskem', '4'],
    ],
    'cyrillic': [
        ['артикул', 'название', 'остаток'],
        ['R-1', 'Мужская обувь', '5'],
        ['R-2', 'Кухонный нож', '0'],
        ['R-3', 'Детские игрушки', '31'],
        ['R-4', 'Женская одежда', '6'],
    ],
    'japanese': [
        ['sku', '商品名', '在庫'],
        ['J-1', 'メンズシューズ', '5'],
        ['J-2', '台所用品', '0'],
        ['J-3', '子供のおもちゃ', '12'],
        ['J-4', 'アロマキャンドル', '3'],
    ],
    'decimal commas': [
        ['Material', 'Bezeichnung', 'Bestand', 'Preis'],
        ['000000001', 'Schraube', '12,000', '0,05'],
        ['000000002', 'Mutter', '0,500', '0,03'],
        ['000000003', 'Scheibe', '1.234,000', '1.010,10'],
        ['000000004', 'Bolzen', '7,000', '2,00'],
    ],
    'padded': [
        ['sku', 'note', 'qty'],
        ['1', ' leading', '3'],
        ['2', 'trailing ', '4'],
        ['3', 'NULL', '5'],
        ['4', '1e5', '6'],
    ],
}

files = []


def add(program, table, data, rows=None):
    """Keeps a file; without `rows`, its cells are those of the table."""
    files.append(
        {
            'program': program,
            'rows': rows if rows is not None else TABLES[table],
            'bytes': base64.b64encode(data).decode(),
        }
    )


def run(command, stdin=b'', cwd=None):
    done = subprocess.run(command, input=stdin, cwd=cwd, capture_output=True, timeout=120)
    if done.returncode != 0:
        raise RuntimeError(f'{command[0]}: {done.stderr.decode(errors="replace")[:500]}')
    return done.stdout


def has(program):
    if shutil.which(program):
        return True
    print(f'not installed: {program}', file=sys.stderr)
    return False


def to_csv(rows, **options):
    out = io.StringIO(newline='')
    csv.writer(out, **options).writerows(rows)
    return out.getvalue()


def with_escapes(rows):
    """Line ends and tabs as \\n and \\t, which is how some programs write them in tabs."""
    return [[cell.replace('\n', '\\n').replace('\t', '\\t') for cell in row] for row in rows]


def write_python():
    for table, rows in TABLES.items():
        for name in ('excel', 'excel-tab', 'unix'):
            add(f'Python csv, {name}', table, to_csv(rows, dialect=name).encode())
        for delimiter in ';|~^:':
            add(f'Python csv, {delimiter}', table, to_csv(rows, delimiter=delimiter).encode())
        add('Python csv, all quoted', table, to_csv(rows, quoting=csv.QUOTE_ALL).encode())
        text = to_csv(rows, quoting=csv.QUOTE_NONE, escapechar='\\')
        add('Python csv, nothing quoted', table, text.encode())
        text = to_csv(rows, doublequote=False, escapechar='\\')
        add('Python csv, escaped quotes', table, text.encode())
        text = to_csv(rows, quotechar="'")
        add('Python csv, single quotes', table, text.encode())
        for end in ('\n', '\r'):
            text = to_csv(rows, lineterminator=end)
            add(f'Python csv, {end!r}', table, text.encode())
        text = to_csv(rows)
        for encoding in ('utf-8-sig', 'utf-16', 'utf-16-le', 'utf-16-be', 'utf-32'):
            add(f'Python csv, {encoding}', table, text.encode(encoding))
        add('Python csv, DOS end of file', table, text.encode() + b'\x1a')
        without = text.rstrip('\r\n')
        add('Python csv, no final line end', table, without.encode())
    for count in (2, 3, 5, 50):
        rows = [[f'AB-{1000 + at}', str(at * 7 % 23)] for at in range(count)]
        for delimiter in ',;\t':
            text = to_csv(rows, delimiter=delimiter)
            add('Python csv, no header', None, text.encode(), [['column_1', 'column_2'], *rows])
    charsets = {
        'accents': ['cp1252', 'latin-1', 'cp850', 'mac_roman'],
        'czech': ['cp1250', 'iso8859-2', 'cp852'],
        'cyrillic': ['cp1251', 'koi8-r', 'cp866'],
        'japanese': ['cp932', 'euc-jp'],
    }
    for table, encodings in charsets.items():
        for encoding in encodings:
            for delimiter in ',;\t':
                text = to_csv(TABLES[table], delimiter=delimiter)
                add(f'Python csv, {encoding}', table, text.encode(encoding))


def write_pandas():
    probe = ['/usr/bin/python3', '-c', 'import pandas']
    if subprocess.run(probe, capture_output=True).returncode != 0:
        print('not installed: python3-pandas', file=sys.stderr)
        return
    code = '''
import json, sys, pandas
rows, options = json.load(sys.stdin)
frame = pandas.DataFrame(rows[1:], columns=rows[0])
sys.stdout.buffer.write(frame.to_csv(**options).encode(options.get('encoding', 'utf-8')))
'''
    variants = [
        {'index': False},
        {'index': False, 'sep': ';'},
        {'index': False, 'sep': '\t'},
        {'index': False, 'sep': '|', 'quoting': 1},
        {'index': False, 'quoting': 2},
        {'index': True},
    ]
    for table, rows in TABLES.items():
        for options in variants:
            data = run(['/usr/bin/python3', '-c', code], json.dumps([rows, options]).encode())
            expected = rows
            if options['index']:
                expected = [['', *rows[0]]]
                expected += [[str(at), *row] for at, row in enumerate(rows[1:])]
            add(f'pandas, {options}', table, data, expected)


def write_sqlite():
    if not has('sqlite3'):
        return
    for table, rows in TABLES.items():
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'stock.db')
            database = sqlite3.connect(path)
            columns = ', '.join(f'"{name}" text' for name in rows[0])
            database.execute(f'create table stock ({columns})')
            places = ', '.join('?' for _ in rows[0])
            database.executemany(f'insert into stock values ({places})', rows[1:])
            database.commit()
            database.close()
            for mode in ('csv', 'list', 'tabs', 'column', 'markdown', 'box', 'table', 'ascii', 'json', 'html', 'quote'):
                script = f'.headers on\n.mode {mode}\nselect * from stock;\n'
                add(f'sqlite3, {mode}', table, run(['sqlite3', path], script.encode()))


def write_php():
    if not has('php'):
        return
    code = '''
[$rows, $delimiter, $escape] = json_decode(stream_get_contents(STDIN));
$out = fopen("php://stdout", "w");
foreach ($rows as $row) fputcsv($out, $row, $delimiter, '"', $escape);
'''
    for table, rows in TABLES.items():
        for delimiter in ',;\t':
            for escape in ('\\', ''):
                data = run(['php', '-r', code], json.dumps([rows, delimiter, escape]).encode())
                add(f'PHP fputcsv, {delimiter!r}, {escape!r}', table, data)


def write_ruby():
    if not has('ruby'):
        return
    code = '''
require "csv"; require "json"
rows, delimiter, forced = JSON.parse(STDIN.read)
print CSV.generate(col_sep: delimiter, force_quotes: forced) { |csv| rows.each { |row| csv << row } }
'''
    for table, rows in TABLES.items():
        for delimiter, forced in ((',', False), (';', True), ('\t', False)):
            data = run(['ruby', '-e', code], json.dumps([rows, delimiter, forced]).encode())
            add(f'Ruby CSV, {delimiter!r}', table, data)


def write_jq():
    if not has('jq'):
        return
    for table, rows in TABLES.items():
        text = json.dumps(rows).encode()
        add('jq @csv', table, run(['jq', '-r', '.[] | @csv'], text))
        add('jq @tsv', table, run(['jq', '-r', '.[] | @tsv'], text), with_escapes(rows))


def write_r():
    if not has('Rscript'):
        return
    calls = [
        ('write.csv', 'write.csv(d, row.names=FALSE)', False),
        ('write.csv2', 'write.csv2(d, row.names=FALSE)', False),
        ('write.table', 'write.table(d, sep="\\t", quote=FALSE, row.names=FALSE)', False),
        ('write.csv with row names', 'write.csv(d)', 'named'),
        ('write.table with row names', 'write.table(d, sep=",")', 'unnamed'),
    ]
    for table, rows in TABLES.items():
        for name, call, index in calls:
            code = (
                'd <- read.csv(file("stdin"), colClasses="character", check.names=FALSE, '
                f'strip.white=FALSE, na.strings=character(0), encoding="UTF-8"); {call}'
            )
            data = run(['Rscript', '-e', code], to_csv(rows).encode())
            expected = rows
            if index:
                expected = [['', *rows[0]]]
                expected += [[str(at + 1), *row] for at, row in enumerate(rows[1:])]
            add(f'R {name}', table, data, expected)


def write_miller():
    if not has('mlr'):
        return
    for table, rows in TABLES.items():
        for output in ('--ocsv', '--otsv', '--ojson', '--oxtab', '--opprint', '--omd'):
            data = run(['mlr', '--icsv', output, '-S', 'cat'], to_csv(rows).encode())
            add(f'miller {output}', table, data, with_escapes(rows) if output == '--otsv' else None)


def write_psql():
    command = os.environ.get('PSQL')
    if not command:
        print('not tried: psql (PSQL is not set to a command that connects)', file=sys.stderr)
        return
    for table, rows in TABLES.items():
        quote = lambda text: "'" + text.replace("'", "''") + "'"
        values = ', '.join('(' + ', '.join(map(quote, row)) + ')' for row in rows[1:])
        names = ', '.join(f'"{name}"' for name in rows[0])
        query = f'select * from (values {values}) as stock ({names})'
        for name, options in {
            'aligned': [],
            'csv': ['--csv'],
            'unaligned': ['-A'],
            'unaligned, semicolons': ['-A', '-F;'],
        }.items():
            add(f'psql, {name}', table, run([*command.split(), *options, '-c', query]))
        copy = f'copy ({query}) to stdout with (format {{}}, header)'
        add('psql, copy csv', table, run([*command.split(), '-c', copy.format('csv')]))


def write_libreoffice():
    if not has('soffice'):
        return
    # Delimiter, quote, charset (76 is UTF-8, 1 Windows-1252, 65535 UTF-16), quoting all texts.
    filters = ['44,34,76,1', '59,34,76,1', '9,34,76,1', '44,34,76,1,,0,true', '59,34,1,1', '124,34,76,1']
    for table, rows in TABLES.items():
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, 'table.csv')
            with open(source, 'w', newline='', encoding='utf-8') as file:
                file.write(to_csv(rows))
            read = 'CSV:44,34,76,1,' + '/'.join(f'{at + 1}/2' for at in range(len(rows[0])))
            for at, options in enumerate(filters):
                if ',1,1' in options and table not in ('stock', 'accents', 'keys', 'decimal commas'):
                    continue
                target = os.path.join(folder, str(at))
                command = ['soffice', '--headless', f'-env:UserInstallation=file://{folder}/profile']
                command += [f'--infilter={read}', '--convert-to']
                command += [f'csv:Text - txt - csv (StarCalc):{options}', '--outdir', target, source]
                run(command)
                with open(os.path.join(target, 'table.csv'), 'rb') as file:
                    add(f'LibreOffice, {options}', table, file.read())


if len(sys.argv) != 2:
    sys.exit(__doc__)
for write in (
    write_python,
    write_pandas,
    write_sqlite,
    write_php,
    write_ruby,
    write_jq,
    write_r,
    write_miller,
    write_psql,
    write_libreoffice,
):
    before = len(files)
    write()
    print(f'{write.__name__}: {len(files) - before} files', file=sys.stderr)

tables = {}
for file in files:
    table = tables.setdefault(json.dumps(file['rows']), {'rows': file['rows'], 'files': {}})
    name = file['program']
    while name in table['files']:
        name += ', again'
    if file['bytes'] not in table['files'].values():
        table['files'][name] = file['bytes']
with open(sys.argv[1], 'w', encoding='utf-8') as output:
    json.dump(list(tables.values()), output, ensure_ascii=False, indent=0)
    output.write('\n')
distinct = sum(len(table['files']) for table in tables.values())
print(f'{distinct} distinct files of {len(files)}', file=sys.stderr)
