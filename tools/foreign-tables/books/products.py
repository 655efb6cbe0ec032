"""Product tables as suppliers send them, drawn at random."""
import datetime

from books.cells import Cell

NAMES = [
    'Boot, leather',
    'Hat "Alpine"',
    'Wool sock',
    'Rain jacket 3/4"',
    'Drill set; 12 parts',
    'Hammer 500 g',
    "Men's belt",
    'Tent (4 persons)',
    'Cable 5m',
    'Lamp E27',
    'Sleeping bag -5 °C',
    'Pan 28 cm',
    'Mug & saucer',
    'Screw M4x20',
    'Paint <white>',
    'Garden hose',
    'LED strip',
    'USB-C hub',
    'Notebook A5',
    'Pen, blue',
]
FOREIGN = [
    'Schlüsselanhänger',
    'Größe 42; weiß',
    'Kuchyňský nůž',
    'Dětské oblečení',
    'Мужская обувь',
    'メンズシューズ',
    '子供のおもちゃ',
    'حذاء رياضي',
    'נעלי ספורט',
    'Θερμός 0,5 λ',
    'Œuf à la coque',
    'Ñandú',
    'Żółta kurtka',
    '👟 Sneaker',
    '𠮷野家',
    'e\u0301clair',
    'Folie 10 µm',
    'İstanbul çantası',
    'ราคาพิเศษ',
    '한국어 이름',
]
CATEGORIES = ['Shoes', 'Shoes > Boots', 'Hats', 'Tools', 'Tools > Drills', 'Camping', 'Kitchen', 'Office']
BRANDS = ['Alpina', 'Bergwerk', 'Cedro', 'Dyna']
TEXTS = [
    'First line\nsecond line',
    'Says "hello"',
    'a, b; c',
    'a\tb',
    'One line',
    'Three\n\nlines',
    '"quoted"',
    "it's",
    'semi;colon',
    'ends with a quote"',
    '5" x 3"',
    'a|b',
    'C:\\temp\\',
    '=SUM of parts',
    '+49 30 1234',
]
TITLES = {
    'en': {
        'sku': 'SKU',
        'ean': 'EAN',
        'name': 'Name',
        'category': 'Category',
        'price': 'Price',
        'stock': 'Stock',
        'date': 'Available from',
        'vat': 'VAT',
        'active': 'Active',
        'description': 'Description',
        'weight': 'Weight',
        'brand': 'Brand',
        'updated': 'Last update',
        'postcode': 'Postcode',
    },
    'de': {
        'sku': 'Artikelnummer',
        'ean': 'EAN',
        'name': 'Bezeichnung',
        'category': 'Kategorie',
        'price': 'Preis',
        'stock': 'Bestand',
        'date': 'Lieferbar ab',
        'vat': 'MwSt',
        'active': 'Aktiv',
        'description': 'Beschreibung',
        'weight': 'Gewicht',
        'brand': 'Marke',
        'updated': 'Geändert',
        'postcode': 'PLZ',
    },
    'fr': {
        'sku': 'Référence',
        'ean': 'Code EAN',
        'name': 'Désignation',
        'category': 'Catégorie',
        'price': 'Prix',
        'stock': 'Stock',
        'date': 'Disponible le',
        'vat': 'TVA',
        'active': 'Actif',
        'description': 'Description',
        'weight': 'Poids',
        'brand': 'Marque',
        'updated': 'Mis à jour',
        'postcode': 'Code postal',
    },
}
ZERO_FORMATS = ['00000', '0000000', '000000000', '00000-0000', '"ART-"00000', '00\\.000', '000 000', '0000000000000']
PRICE_FORMATS = [
    None,
    '0.00',
    '#,##0.00',
    '#,##0.00\\ "€"',
    '[$€-407]\\ #,##0.00',
    '"$"#,##0.00',
    '#,##0.00;[Red]-#,##0.00',
    '_-* #,##0.00\\ "€"_-;\\-* #,##0.00\\ "€"_-;_-* "-"??\\ "€"_-;_-@_-',
]
STOCK_FORMATS = [None, '0', '#,##0', '#,##0\\ "pcs"', '0;-0;0', '[>0]#,##0;[Red]0']
DATE_FORMATS = [
    'yyyy-mm-dd',
    'dd.mm.yyyy',
    'mm/dd/yy',
    'd-mmm-yy',
    '[$-407]d. mmmm yyyy',
    'dddd, mmmm dd, yyyy',
    'd/m/yyyy',
    'mmm yy',
]
TIME_FORMATS = [
    'yyyy-mm-dd hh:mm',
    'dd.mm.yyyy hh:mm:ss',
    'm/d/yy h:mm',
    'yyyy\\-mm\\-dd\\ hh:mm:ss',
    'd/m/yyyy h:mm AM/PM',
]
PERCENT_FORMATS = ['0%', '0.00%', '0.0%']


class Column:
    """Draws the cells of a column. What a supplier would keep for a whole column, such as a format, is drawn once."""

    def __init__(self, random, kind):
        self.random = random
        self.draw = getattr(self, f'draw_{kind.replace(" ", "_")}')
        self.format = {
            'zeros': random.choice(ZERO_FORMATS),
            'price': random.choice(PRICE_FORMATS),
            'stock': random.choice(STOCK_FORMATS),
            'date': random.choice(DATE_FORMATS),
            'updated': random.choice(TIME_FORMATS),
            'vat': random.choice(PERCENT_FORMATS),
            'ean': random.choice([None, '0', '0', '@']),
            'ean zeros': '0000000000000',
            'postcode': '00000',
        }.get(kind)
        self.start = random.randrange(100, 5000)

    def draw_sku(self, at):
        return Cell(f'{"AB" if self.start % 2 else "X-"}{self.start + at * 3}')

    def draw_number(self, at):
        return Cell(self.start + at * 7)

    def draw_text_zeros(self, at):
        return Cell(f'{self.start + at:07}')

    def draw_zeros(self, at):
        return Cell(self.start + at * 11, self.format)

    def draw_mixed_sku(self, at):
        return Cell(self.start + at) if at % 3 else Cell(f'0{self.start + at}A')

    def draw_ean(self, at):
        return Cell(4006381000000 + self.random.randrange(10**6), self.format)

    def draw_ean_text(self, at):
        return Cell(f'0{self.random.randrange(10**12):012}')

    def draw_ean_zeros(self, at):
        return Cell(self.random.randrange(10**8, 10**13), self.format)

    def draw_name(self, at):
        return Cell(self.random.choice(NAMES))

    def draw_foreign(self, at):
        return Cell(self.random.choice(FOREIGN))

    def draw_category(self, at):
        return Cell(self.random.choice(CATEGORIES))

    def draw_brand(self, at):
        return Cell(self.random.choice(BRANDS))

    def draw_price(self, at):
        return Cell(self.random.randrange(50, 200000) / 100, self.format)

    def draw_stock(self, at):
        return Cell(self.random.choice([0, 1, 5, 12, 140, 2500, self.random.randrange(10000)]), self.format)

    def draw_date(self, at):
        return Cell(datetime.date(2024, 1, 1) + datetime.timedelta(days=self.random.randrange(1500)), self.format)

    def draw_updated(self, at):
        day = datetime.datetime(2026, 1, 1) + datetime.timedelta(minutes=self.random.randrange(600000))
        return Cell(day.replace(hour=0, minute=0) if at % 5 == 4 else day, self.format)

    def draw_opens(self, at):
        return Cell(datetime.time(self.random.randrange(1, 24), self.random.choice([0, 15, 30])), 'hh:mm')

    def draw_vat(self, at):
        return Cell(self.random.choice([0.19, 0.07, 0.2, 0.055, 0, 1]), self.format)

    def draw_active(self, at):
        return Cell(self.random.random() < 0.7)

    def draw_description(self, at):
        return Cell(self.random.choice(TEXTS)) if at % 7 != 3 else None

    def draw_weight(self, at):
        return Cell(self.random.choice([0.3, 1.25, 12.0, 0.004, 3.33333333333333, 250, -1.5, 1e-05, 19.99, 0.1]))

    def draw_postcode(self, at):
        return Cell(self.random.randrange(1000, 99999), self.format)

    def draw_damaged(self, at):
        """As Excel keeps a number of more than 15 digits."""
        return Cell(self.random.randrange(10**14, 10**15) * 10 ** self.random.choice([1, 2, 3]), '0')

    def draw_text_number(self, at):
        return Cell(
            self.random.choice(
                ['12,50', '1.234', '007', '1e5', '12 ', ' 5', '-', 'NULL', 'TRUE', '1/2', '45292', '3-4']
            )
        )


TITLE_OF = {
    'number': 'sku',
    'text zeros': 'sku',
    'zeros': 'sku',
    'mixed sku': 'sku',
    'ean text': 'ean',
    'ean zeros': 'ean',
    'foreign': 'name',
}
OTHER_TITLES = {'opens': 'Opens', 'damaged': 'Serial number', 'text number': 'Note'}
PLAIN = ['sku', 'name', 'category', 'price', 'stock']


def draw_table(random, kinds=None, count=None, language=None):
    """The names of the columns and rows of cells below them."""
    kinds = kinds or PLAIN
    titles = TITLES[language or random.choice(['en', 'en', 'de', 'fr'])]
    header = [Cell(OTHER_TITLES.get(kind) or titles[TITLE_OF.get(kind, kind)]) for kind in kinds]
    columns = [Column(random, kind) for kind in kinds]
    count = count or random.randrange(5, 14)
    return [header] + [[column.draw(at) for column in columns] for at in range(count)]
