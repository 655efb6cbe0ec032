"""Writes histories of files of which each has only what has changed, with full ones between them, and what is to
be published after each: merged here, with Python's own csv and dictionaries, and not with the product's code.

Usage: write.py FILE [--seed N] [--histories N]
"""

import argparse
import base64
import csv
import io
import json
import random

COLUMNS = ["sku", "name", "price", "qty", "colour", "note"]
TEXTS = ["Boot", "Cap, brown", 'Pipe 5"', "Two\nlines", "", " spaced ", "Größe", "ćevapi", "Shirt", "x" * 300]
REMOVAL = {"column": "action", "value": "delete"}


def write_table(rows, rng, encoding="utf-8"):
    """A table as some program writes it: what is between the cells and around them differs."""
    out = io.StringIO()
    delimiter = rng.choice([",", ",", ";", "\t"])
    quoting = rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
    line_end = rng.choice(["\n", "\r\n"])
    csv.writer(out, delimiter=delimiter, quoting=quoting, lineterminator=line_end).writerows(rows)
    text = out.getvalue()
    return text.encode(encoding)


def new_row(sku, rng):
    return {
        "sku": sku,
        "name": rng.choice(TEXTS),
        "price": f"{rng.randrange(1, 500)}.{rng.randrange(100):02}",
        "qty": str(rng.randrange(100)),
        "colour": rng.choice(["red", "blue", ""]),
        "note": rng.choice(TEXTS),
    }


class History:
    def __init__(self, rng):
        self.rng = rng
        self.published = None  # The columns, and the rows by their keys, in order.
        self.last_sku = 0
        self.columns = COLUMNS[: rng.randrange(3, len(COLUMNS) + 1)]
        self.uses_removal = rng.random() < 0.8

    def fresh_sku(self):
        self.last_sku += 1
        return f"A-{self.last_sku:04}"

    def full_file(self):
        """All items, in any order; with the column of removals now and then, whose rows are left out."""
        rng = self.rng
        known = list(self.published[1]) if self.published else []
        skus = [sku for sku in known if rng.random() < 0.9]
        skus += [self.fresh_sku() for _ in range(rng.randrange(1, 12))]
        rng.shuffle(skus)
        columns = list(self.columns)
        if rng.random() < 0.3:
            rng.shuffle(columns)
        rows = [new_row(sku, rng) for sku in skus]
        has_action = self.uses_removal and rng.random() < 0.5
        header = columns + ["action"] if has_action else columns
        actions = [rng.choice(["", "add", "add", "delete"]) for _ in rows] if has_action else [""] * len(rows)
        if all(action == "delete" for action in actions):
            actions[0] = ""
        table = [[*(row[name] for name in columns), *([action] if has_action else [])] for row, action in zip(rows, actions)]
        kept = {row["sku"]: {name: row[name] for name in columns} for row, action in zip(rows, actions) if action != "delete"}
        self.published = (columns, kept)
        return [header, *table]

    def update(self):
        """Some columns of some items, in any order."""
        rng = self.rng
        columns, items = self.published
        named = ["sku", *(name for name in columns if name != "sku" and rng.random() < 0.5)]
        if rng.random() < 0.15:
            named.append("unknown")
        rng.shuffle(named)
        known = list(items)
        share = rng.choice([0, 0.1, 0.5, 1])
        skus = [sku for sku in known if rng.random() < share]
        skus += [self.fresh_sku() for _ in range(rng.randrange(4))]
        if rng.random() < 0.5:
            rng.shuffle(skus)
        header = [*named, "action"] if self.uses_removal else named
        table = []
        merged = {sku: dict(row) for sku, row in items.items()}
        for sku in skus:
            row = {**new_row(sku, rng), "unknown": "?"}
            action = rng.choice(["", "", "", "DELETE ", "delete"]) if self.uses_removal else None
            cells = [row[name] for name in named]
            table.append([*cells, action] if self.uses_removal else cells)
            if action is not None and action.strip().lower() == "delete":
                merged.pop(sku, None)
            elif sku in merged:
                merged[sku].update({name: row[name] for name in named if name in columns and name != "sku"})
            else:
                merged[sku] = {name: row[name] if name in named else "" for name in columns}
        if not merged:
            return [header, *table], False
        self.published = (columns, merged)
        return [header, *table], True

    def unusable(self):
        """An update that nobody can merge."""
        rng = self.rng
        table, _ = History.update(self.copy())
        header, *rows = table
        kind = rng.choice(["repeated key", "no key column", "no key"])
        if kind == "no key column":
            header = ["other" if name == "sku" else name for name in header]
        place = table[0].index("sku")
        row = ["1"] * len(header)
        if kind == "repeated key":
            row[place] = "A-0001"
            rows = [*rows, row, list(row)]
        elif kind == "no key":
            row[place] = ""
            rows = [*rows, row]
        return [header, *rows], kind

    def copy(self):
        other = History.__new__(History)
        other.__dict__.update(self.__dict__)
        columns, items = self.published
        other.published = (columns, {sku: dict(row) for sku, row in items.items()})
        return other

    def table(self):
        columns, items = self.published
        return [columns, *([row[name] for name in columns] for row in items.values())]


def write_history(rng):
    history = History(rng)
    steps = []
    for number in range(rng.randrange(6, 12)):
        encoding = rng.choice(["utf-8", "utf-8", "utf-8-sig", "utf-16"])
        choice = rng.random()
        name, is_full, is_refused = f"update-{number}.csv", None, False
        if number == 0 or choice < 0.15:
            table = history.full_file()
            if rng.random() < 0.5:
                is_full = True
            else:
                name = f"full-{number}.csv"
        elif choice < 0.25:
            table, _ = history.unusable()
            is_refused = True
        elif choice < 0.35 and steps and not steps[-1]["isRefused"] and not steps[-1]["isFullFile"]:
            # The same bytes again.
            steps.append({**steps[-1], "name": name})
            continue
        else:
            table, is_usable = history.update()
            is_refused = not is_usable
        content = base64.b64encode(write_table(table, rng, encoding)).decode()
        steps.append(
            {
                "name": name,
                "isFull": is_full,
                "isFullFile": is_full is True or name.startswith("full-"),
                "isRefused": is_refused,
                "content": content,
                "published": history.table(),
            }
        )
    return {"removal": REMOVAL if history.uses_removal else None, "steps": steps}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--histories", type=int, default=30)
    given = parser.parse_args()
    histories = [write_history(random.Random(f"{given.seed}-{number}")) for number in range(given.histories)]
    with open(given.file, "w", encoding="utf-8") as file:
        json.dump(histories, file, ensure_ascii=False, separators=(",", ":"))
        file.write("\n")


if __name__ == "__main__":
    main()
