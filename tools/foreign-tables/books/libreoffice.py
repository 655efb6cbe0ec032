"""Conversions by LibreOffice, many files at a time: starting it takes longer than converting."""
import os
import re
import subprocess
import tempfile

# Semicolons, quotes, UTF-8; the second number of a column is 2 for a text.
CSV_FILTER = 'CSV:59,34,76,1,{columns},1033'
BATCH = 40
FILTERS = {'xml': 'xml:MS Excel 2003 XML'}


def convert_to_xml(files):
    """To the XML of Excel 2003, by way of a document of which the filter understands each row and column."""
    flat = convert(files, 'fods')
    short = {
        f'{name.rpartition(".")[0]}.fods': re.sub(rb' table:number-(columns|rows)-repeated="\d{5,}"', b'', data)
        for name, data in flat.items()
    }
    return convert(short, 'xml')


def convert(files, target, text_columns=None):
    """Converts files of {name: bytes}; the answer has the same names."""
    converted = {}
    names = list(files)
    for start in range(0, len(names), BATCH):
        batch = names[start : start + BATCH]
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for name in batch:
                paths.append(os.path.join(folder, name))
                with open(paths[-1], 'wb') as file:
                    file.write(files[name])
            command = ['soffice', '--headless', f'-env:UserInstallation=file://{folder}/profile']
            if text_columns:
                columns = '/'.join(f'{column}/2' for column in text_columns)
                command.append('--infilter=' + CSV_FILTER.format(columns=columns))
            command += ['--convert-to', FILTERS.get(target, target), '--outdir', os.path.join(folder, 'out'), *paths]
            subprocess.run(command, check=True, capture_output=True, timeout=500)
            for name in batch:
                with open(os.path.join(folder, 'out', f'{name.rpartition(".")[0]}.{target}'), 'rb') as file:
                    converted[name] = file.read()
    return converted
