"""Writes histories of suppliers whose files one retailer has merged: they publish, are held, come late, leave and come
back. What the merged file is to be after each step is computed here, with Python's own csv, dictionaries and decimals,
and not with the product's code.

Usage: write.py FILE [--seed N] [--histories N]
"""

import argparse
import csv
import io
import json
import random
from decimal import ROUND_CEILING, ROUND_HALF_UP, Decimal

NAMES = ["Boot", "Cap, brown", 'Pipe 5"', "Two\nlines", "", "Größe", "ćevapi", "x" * 300]
CATEGORIES = ["Shoes", "Hats", "Tools"]
STOCK_TEXTS = {"high": 50}
FIRST = ["sku", "barcode", "quantity", "price", "cost", "currency", "supplier", "supplier_sku"]


def check_digit(body):
    total = sum(int(digit) * (3 if place % 2 == 0 else 1) for place, digit in enumerate(reversed(body)))
    return str(-total % 10)


def new_gtin(rng):
    """One of the ranges that are given out; lengths 8, 12, 13 and 14."""
    length = rng.choice([8, 12, 13, 13, 13, 14])
    if length == 8:
        body = rng.choice("13456789") + "".join(rng.choice("0123456789") for _ in range(6))
    elif length == 12:
        body = rng.choice("136789") + "".join(rng.choice("0123456789") for _ in range(10))
    elif length == 13:
        body = rng.choice("3456789") + "".join(rng.choice("0123456789") for _ in range(11))
    else:
        body = rng.choice("12345678") + rng.choice("3456789") + "".join(rng.choice("0123456789") for _ in range(11))
    return body + check_digit(body)


def as_gtin(text):
    digits = "".join(text.split()).replace("-", "")
    if not digits.isdigit() or len(digits) not in (8, 12, 13, 14):
        return None
    if check_digit(digits[:-1]) != digits[-1]:
        return None
    whole = digits.zfill(14)
    if whole[1] == "2" or whole[1:3] in ("02", "04"):
        return None
    if whole.startswith("000000") and whole[6] in "02":
        return None
    return whole


def write_amount(value, style):
    """As a supplier writes it; all have two decimals, which show the mark."""
    if style == "point":
        return f"{value:.2f}"
    if style == "comma":
        return f"{value:.2f}".replace(".", ",")
    if style == "grouped":
        return f"{value:,.2f}".replace(",", " ").replace(".", ",").replace(" ", ".")
    return f"€ {value:.2f}"


class Supplier:
    def __init__(self, number, rng, gtins):
        self.rng = rng
        self.gtins = gtins
        self.name = rng.choice(["North", "South, Ltd", "West", 'The "East"']) + f" {number}"
        self.prefix = f"S{number}-"
        self.currency = rng.choice([None, "EUR", "USD"])
        self.style = rng.choice(["point", "comma", "grouped", "sign"])
        self.cost = rng.choice(["cost", "Wholesale price", "my price", None])
        self.cost_column = self.cost if self.cost == "my price" else None
        self.has_price = rng.random() < 0.7
        self.has_currency = rng.random() < 0.5
        self.has_barcode = rng.random() < 0.9
        self.others = rng.sample(["name", "colour", "Supplier", "note"], rng.randrange(0, 4))
        self.categories = rng.choice([None, None, ["Shoes", "Tools"]])
        self.hidden = rng.choice([[], [], ["note"], ["secret"]])
        self.has_secret = rng.random() < 0.5
        self.is_related = True
        self.items = {}
        self.published = None
        self.published_at = 0
        self.last = 0

    def columns(self):
        columns = ["sku", "qty", "category"]
        columns += ["ean"] if self.has_barcode else []
        columns += ["price"] if self.has_price else []
        columns += [self.cost] if self.cost else []
        columns += ["currency"] if self.has_currency else []
        columns += self.others
        columns += ["secret"] if self.has_secret else []
        return columns

    def new_item(self):
        rng = self.rng
        self.last += 1
        sku = f"{rng.choice(['A', 'b-', 'x y', 'ö'])}{self.last}"
        barcode = rng.choice([rng.choice(self.gtins)] * 5 + ["", "123", "2000000000008", " 4006381333931 "])
        return {"sku": sku, "ean": barcode}

    def fill(self, item):
        rng = self.rng
        item["qty"] = rng.choice(["0", "1", "12", "7", "", "high", "30", "about 5"])
        item["category"] = rng.choice(CATEGORIES)
        item["price_value"] = Decimal(rng.randrange(1, 500000)) / 100
        item["cost_value"] = rng.choice([None] + [Decimal(rng.randrange(0, 300000)) / 100] * 6)
        item["currency"] = rng.choice(["", "eur", "USD", "EUR", "EUR", "€"])
        item["name"] = rng.choice(NAMES)
        item["colour"] = rng.choice(["red", "blue", ""])
        item["Supplier"] = rng.choice(["maker", ""])
        item["note"] = rng.choice(NAMES)
        item["secret"] = "secret"

    def new_file(self):
        rng = self.rng
        items = [item for item in self.items.values() if rng.random() < 0.85]
        items += [self.new_item() for _ in range(rng.randrange(1, 9))]
        for item in items:
            if "qty" not in item or rng.random() < 0.5:
                self.fill(item)
        rng.shuffle(items)
        self.items = {item["sku"]: item for item in items}
        repeated = [dict(rng.choice(items))] if rng.random() < 0.3 else []
        keyless = [{**items[0], "sku": " ", "ean": ""}] if rng.random() < 0.2 else []
        rows = []
        for item in items + repeated + keyless:
            row = dict(item)
            row["price"] = write_amount(item["price_value"], self.style)
            if self.cost:
                value = item["cost_value"]
                row[self.cost] = "on request" if value is None else write_amount(value, self.style)
            rows.append(row)
        return rows

    def text(self, rows):
        out = io.StringIO()
        columns = self.columns()
        writer = csv.writer(out, lineterminator="\r\n")
        writer.writerow(columns)
        writer.writerows([row[name] for name in columns] for row in rows)
        return out.getvalue()


def currency_of(supplier, row, cost, price):
    """The code of the row, else of the sign at the cost or the price."""
    if supplier.has_currency:
        code = row["currency"].strip().upper()
        if code == "€":
            return "EUR"
        if len(code) == 3:
            return code
    if supplier.style == "sign" and (cost is not None or price is not None):
        return "EUR"
    return ""


def read_quantity(text):
    if text == "":
        return 0
    if text in STOCK_TEXTS:
        return STOCK_TEXTS[text]
    return int(text) if text.isdigit() else 0


def read_part(supplier, rows, matching):
    """The items of one supplier by their keys, in the order of its file."""
    items, skus = {}, set()
    for row in rows:
        if supplier.categories is not None and row["category"] not in supplier.categories:
            continue
        sku = row["sku"].strip()
        if sku in skus:
            continue
        if sku:
            skus.add(sku)
        barcode = row["ean"] if supplier.has_barcode else ""
        gtin = as_gtin(barcode)
        match = None
        if gtin is not None:
            match = matching["gtin"].get(gtin, gtin)
        elif (supplier.prefix, sku) in matching["sku"]:
            match = matching["sku"][supplier.prefix, sku]
        key, kind = match, "matched"
        if match is None or match in items:
            if sku == "":
                continue
            key, kind = supplier.prefix + sku, "sku"
            if key in items:
                continue
        cost = row["cost_value"] if supplier.cost else None
        price = row["price_value"] if supplier.has_price else None
        items[key] = {
            "supplier": supplier,
            "kind": kind,
            "sku": sku,
            "barcode": barcode,
            "quantity": read_quantity(row["qty"]),
            "cost": cost,
            "cost_text": "" if not supplier.cost else "on request" if cost is None else f"{cost:.2f}",
            "price_text": f"{price:.2f}" if price is not None else "",
            "currency": currency_of(supplier, row, cost, price) or supplier.currency or "",
            "others": {name: row[name] for name in other_columns(supplier)},
        }
    return items


def other_columns(supplier):
    names = ["category"] + supplier.others + (["secret"] if supplier.has_secret else [])
    return [name for name in names if name not in supplier.hidden]


def shown_name(name):
    return "Supplier_2" if name == "Supplier" else name


def make_price(rules, cost):
    tier = [tier for tier in rules["tiers"] if Decimal(tier["from"]) <= cost][-1]
    exact = cost + cost * Decimal(tier["percent"]) / 100 + Decimal(tier["fixed"])
    cent = Decimal("0.01")
    if rules["ending"] is None:
        price = exact.quantize(cent, ROUND_HALF_UP)
        return max(price, cost.quantize(cent, ROUND_CEILING))
    ending = Decimal(rules["ending"]) / 100
    least = max(exact, cost)
    return (least - ending).to_integral_value(ROUND_CEILING) + ending


def choose(rule, group, stale):
    """The record whose quantity and cost count, and the quantity."""
    stock = [0 if record["supplier"] in stale else record["quantity"] for record in group]
    if rule == "first":
        return group[0], stock[0]
    if rule in ("sum", "least", "most"):
        return group[0], {"sum": sum, "least": min, "most": max}[rule](stock)
    available = [record for record, quantity in zip(group, stock) if quantity > 0]
    named = group[0]
    if available:
        named = available[0]
        priced = [record for record in available if record["cost"] is not None]
        currencies = {record["currency"] for record in priced}
        if len(priced) == 1 or (len(priced) > 1 and len(currencies) == 1 and currencies != {""}):
            named = min(priced, key=lambda record: record["cost"])
    return named, stock[group.index(named)]


def merge(suppliers, rules, matching, stale):
    parts = [read_part(supplier, supplier.published, matching) for supplier in suppliers]
    names = []
    for supplier in suppliers:
        names += [name for name in map(shown_name, other_columns(supplier)) if name not in names]
    has_cost = any(supplier.cost for supplier in suppliers)
    has_price = any(supplier.has_price for supplier in suppliers) or (has_cost and rules["priceRules"] is not None)
    left_out = {"price": has_price, "cost": has_cost, "currency": has_cost or has_price}
    first = [name for name in FIRST if left_out.get(name, True)]
    keys = sorted({key for part in parts for key in part})
    rows, unmatched = [], []
    for key in keys:
        group = [part[key] for part in parts if key in part]
        named, quantity = choose(rules["quantity"], group, stale)
        price = named["price_text"]
        if rules["priceRules"] is not None:
            price = "" if named["cost"] is None else f"{make_price(rules['priceRules'], named['cost']):.2f}"
        cells = {
            "sku": key,
            "barcode": group[0]["barcode"],
            "quantity": str(quantity),
            "price": price,
            "cost": named["cost_text"],
            "currency": named["currency"],
            "supplier": named["supplier"].name,
            "supplier_sku": named["sku"],
        }
        others = {shown_name(name): text for name, text in group[0]["others"].items()}
        rows.append([cells[name] for name in first] + [others.get(name, "") for name in names])
        if group[0]["kind"] == "sku":
            unmatched.append([group[0]["supplier"].prefix, group[0]["sku"]])
    return {"columns": first + names, "rows": rows, "unmatched": sorted(unmatched)}


def new_price_rules(rng):
    if rng.random() < 0.5:
        return None
    tiers = [{"from": "0", "percent": rng.choice(["25", "7.5", "-10", "33.33"]), "fixed": rng.choice(["0", "1.25"])}]
    if rng.random() < 0.6:
        tiers.append({"from": "500.5", "percent": rng.choice(["12", "0"]), "fixed": "0"})
    return {"tiers": tiers, "ending": rng.choice([None, 99, 95, 0, 50])}


def write_history(rng):
    gtins = [new_gtin(rng) for _ in range(12)]
    suppliers = [Supplier(number, rng, gtins) for number in range(rng.randrange(2, 5))]
    rules = {
        "quantity": rng.choice(["first", "sum", "least", "most", "cheapest", "cheapest", "cheapest"]),
        "priceRules": new_price_rules(rng),
        "maxAgeHours": rng.choice([None, 24]),
    }
    files, steps = [], []
    matching, matching_text = {"gtin": {}, "sku": {}}, None
    hours = 0
    for number in range(rng.randrange(4, 8)):
        hours += rng.choice([1, 5, 30])
        events = []
        for place, supplier in enumerate(suppliers):
            choice = rng.random()
            if number > 0 and choice < 0.15:
                supplier.is_related = not supplier.is_related
                events.append({"supplier": place, "kind": "return" if supplier.is_related else "leave"})
            elif number > 0 and choice < 0.4:
                # Held, or its source failed or is late: the file before stays, and gets older.
                events.append({"supplier": place, "kind": rng.choice(["hold", "late"])})
            else:
                rows = supplier.new_file()
                supplier.published, supplier.published_at = rows, hours
                files.append(supplier.text(rows))
                supplier.file = len(files) - 1
                events.append({"supplier": place, "kind": "publish", "file": supplier.file})
        if rng.random() < 0.4:
            matching, matching_text = new_matching(rng, suppliers)
        related = [supplier for supplier in suppliers if supplier.is_related]
        limit = rules["maxAgeHours"]
        stale = [supplier for supplier in related if limit is not None and hours - supplier.published_at > limit]
        parts = [
            {"supplier": suppliers.index(supplier), "file": supplier.file, "isStale": supplier in stale}
            for supplier in related
        ]
        merged = merge(related, rules, matching, stale) if related else None
        steps.append({"hours": hours, "events": events, "matching": matching_text, "parts": parts, "merged": merged})
    return {
        "rules": rules,
        "stockTexts": [{"text": text, "quantity": quantity} for text, quantity in STOCK_TEXTS.items()],
        "suppliers": [
            {
                "name": supplier.name,
                "prefix": supplier.prefix,
                "currency": supplier.currency,
                "costColumn": supplier.cost_column,
                "categories": supplier.categories,
                "hidden": supplier.hidden,
            }
            for supplier in suppliers
        ],
        "files": files,
        "steps": steps,
    }


def new_matching(rng, suppliers):
    """What a retailer has filled in: some rows by the suppliers' SKUs, some by GTIN, and some that say nothing."""
    rows, by_sku, by_gtin = [], {}, {}
    for supplier in suppliers:
        for item in supplier.items.values():
            if rng.random() < 0.3:
                own = rng.choice(["own-1", "own-2", "Own, 3", "", item["sku"]])
                rows.append([supplier.prefix, item["sku"], "", own])
                if own and (supplier.prefix, item["sku"]) not in by_sku:
                    by_sku[supplier.prefix, item["sku"]] = own
            elif rng.random() < 0.1 and item["ean"]:
                own = f"g-{item['ean'].strip()}"
                rows.append([supplier.prefix, item["sku"], item["ean"], own])
                gtin = as_gtin(item["ean"])
                if gtin is not None:
                    by_gtin.setdefault(gtin, own)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(["prefix", "supplier_sku", "gtin", "sku"])
    writer.writerows(rows)
    return {"gtin": by_gtin, "sku": by_sku}, out.getvalue()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--histories", type=int, default=6)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    histories = [write_history(rng) for _ in range(options.histories)]
    with open(options.file, "w", encoding="utf-8") as file:
        json.dump(histories, file, ensure_ascii=False, separators=(",", ":"))
        file.write("\n")


main()
