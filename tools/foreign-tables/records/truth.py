"""The table that a reader has to find in a file: its columns with the names that they may have, and its cells.

A cell is a text, an `Either` of texts of which each is right, or None where anything is.
"""
from dataclasses import dataclass, field

RECORD = 'record'
VARIANT = 'variant'
# Names that nobody can foresee, such as those of the records of an array without a name.
ANY_PARENT = '*'


class Either(list):
    """Texts of which each is right."""


@dataclass
class Column:
    # The names of the elements or keys from the record or the variant on.
    steps: tuple
    # The name of the attribute, if it is one of the last element.
    attribute: str = None
    # What tells this column from others with the same steps: an attribute and its value, as in <param name="Colour">,
    # and the number of steps up to that element.
    told: tuple = None
    owner: str = RECORD
    # May be left out, such as the type of an element.
    is_optional: bool = False


@dataclass
class Table:
    # How the names of a path are joined: a slash for XML, a full stop for JSON; None for the names of a sheet.
    separator: str = None
    # The names from the root to the record, and from there to the variants.
    path: list = field(default_factory=list)
    variants: list = None
    columns: list = field(default_factory=list)
    # Dictionaries of cells by column.
    rows: list = field(default_factory=list)

    def column(self, *steps, **properties):
        """The index of a column, which is added if it is new."""
        column = Column(steps, **properties)
        for index, known in enumerate(self.columns):
            if (known.steps, known.attribute, known.told, known.owner) == (
                column.steps,
                column.attribute,
                column.told,
                column.owner,
            ):
                return index
        self.columns.append(column)
        return len(self.columns) - 1

    def describe(self):
        return {
            'columns': [
                {'names': list(dict.fromkeys(names)), **({'isOptional': True} if column.is_optional else {})}
                for column, names in zip(self.columns, self.list_names())
            ],
            'rows': [self.cells_of(row) for row in self.rows],
        }

    def cells_of(self, row):
        cells = [row.get(index, '') for index in range(len(self.columns))]
        if self.variants and not any(self.columns[index].owner == VARIANT for index in row):
            # What a record without variants has may stand in the column of the variants, too.
            own = {
                (column.steps, column.attribute): index for index, column in enumerate(self.columns) if index in row
            }
            for index, column in enumerate(self.columns):
                known = own.get((column.steps, column.attribute))
                if index not in row and known is not None:
                    cells[index] = Either(['', cells[known]])
        return cells

    def list_names(self):
        """For each column the names that it may have, the best first."""
        if self.separator is None:
            return [[column.steps[0]] for column in self.columns]
        variant_names = {
            name for column in self.columns if column.owner == VARIANT for name in self.local_names(column)[:1]
        }
        return [self.names_of(column, variant_names) for column in self.columns]

    def names_of(self, column, variant_names):
        plain = self.local_names(column)
        record = local(self.path[-1]) if self.path else ANY_PARENT
        if column.owner == VARIANT:
            variants = [local(name) for name in self.variants]
            parents = [self.separator.join(parent) for parent in (variants, [record, *variants], variants[-1:])]
            return plain + [self.below(parent, name) for parent in parents for name in plain]
        if self.variants is None:
            return plain
        below = [self.below(record, name) for name in plain]
        if plain[0] not in variant_names:
            return plain + below
        return below + [self.below(ANY_PARENT, name) for name in plain]

    def below(self, parent, name):
        return f'{parent}{name}' if name.startswith('@') else f'{parent}{self.separator}{name}'

    def local_names(self, column):
        """The names within the record or the variant: whole, without prefixes, and from each step on."""
        steps = list(column.steps)
        if column.told:
            attribute, value, depth = column.told
            return [
                self.with_attribute(self.separator.join([name, *map(local, steps[depth:])]), column)
                for path in self.paths_of(steps[:depth])
                for form in BY_VALUE
                for name in [form.format(path=path, attribute=local(attribute), value=value)]
            ]
        if column.attribute is None:
            return self.paths_of(steps)
        attributes = [column.attribute, local(column.attribute)]
        if not steps:
            return [*(f'@{name}' for name in attributes), *attributes]
        paths = [f'{path}{at}{name}' for path in self.paths_of(steps) for name in attributes for at in ('@', '/@')]
        return paths + attributes

    def paths_of(self, steps):
        steps_without = [local(step) for step in steps]
        starts = [steps_without[start:] for start in range(1, len(steps))]
        return list(dict.fromkeys(self.separator.join(path) for path in [steps, steps_without, *starts]))

    def with_attribute(self, name, column):
        return name if column.attribute is None else f'{name}@{local(column.attribute)}'


# How a column may be named by the value that tells it from others.
BY_VALUE = [
    '{value}',
    '{path}/{value}',
    '{path}@{value}',
    '{path}.{value}',
    '{path}:{value}',
    '{path}={value}',
    '{path} {value}',
    '{path}_{value}',
    '{path}[{value}]',
    '{path} ({value})',
    '{path}@{attribute}={value}',
    '{path}[{attribute}={value}]',
]


def local(name):
    """Without its prefix."""
    return name.rpartition(':')[2]


def simple_table(rows, separator=None, path=(), optional=()):
    """A table of rows with the same keys, which are the names of the columns; a list of lists begins with them."""
    if isinstance(rows[0], list):
        header, *others = rows
        rows = [dict(zip(header, row)) for row in others]
    table = Table(separator, list(path))
    for row in rows:
        add_row(table, row, optional)
    return table


def add_row(table, row, optional=()):
    table.rows.append({table.column(name, is_optional=name in optional): cell for name, cell in row.items()})
