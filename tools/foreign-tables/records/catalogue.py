"""Products with their variants, drawn at random; all values are texts."""
from dataclasses import dataclass, field

from books.products import BRANDS, CATEGORIES, FOREIGN, NAMES, TEXTS

SIZES = ['S', 'M', 'L', 'XL', '38', '39', '40 ½', '41']
COLOURS = ['black', 'white', 'navy blue', 'grün', 'červená', 'red/green']


@dataclass
class Variant:
    sku: str
    ean: str
    size: str
    colour: str
    price: str
    qty: str


@dataclass
class Product:
    id: str
    sku: str
    ean: str
    name: str
    brand: str
    category: str
    price: str
    qty: str
    description: str
    url: str
    images: list
    weight: str
    updated: str
    variants: list = field(default_factory=list)


def draw_products(random, count=None, has_variants=False):
    count = count or random.randrange(4, 9)
    start = random.randrange(1000, 9000)
    products = []
    for at in range(count):
        number = start + at * 3
        sku = random.choice([f'AB-{number}', f'{number:07}', f'X{number}/{at}'])
        products.append(
            Product(
                id=str(number),
                sku=sku,
                ean=draw_ean(random),
                name=random.choice(NAMES + FOREIGN),
                brand=random.choice(BRANDS),
                category=random.choice(CATEGORIES),
                price=draw_price(random),
                qty=draw_qty(random),
                description=random.choice(TEXTS),
                url=f'https://shop.example/p/{number}?ref=feed&lang=de',
                images=[f'https://img.example/{number}-{image}.jpg' for image in range(random.randrange(1, 4))],
                weight=random.choice(['0.3', '1.25', '12.0', '0.004', '250']),
                updated=f'2026-{random.randrange(1, 13):02}-{random.randrange(1, 29):02}T06:30:00Z',
                variants=draw_variants(random, sku, random.randrange(2, 5)) if has_variants else [],
            )
        )
    return products


def draw_variants(random, sku, count):
    colour = random.choice(COLOURS)
    return [
        Variant(f'{sku}-{at}', draw_ean(random), SIZES[at], colour, draw_price(random), draw_qty(random))
        for at in range(count)
    ]


def draw_ean(random):
    return f'{random.choice(["40", "00"])}{random.randrange(10**11):011}'


def draw_price(random):
    return random.choice(['9.90', '10.00', '1200.00', f'{random.randrange(50, 90000) / 100:.2f}'])


def draw_qty(random):
    return random.choice(['0', '1', '12', '140', str(random.randrange(3000))])


def draw_categories(random, count=None):
    """A tree as rows of (id, parent, name); the roots have no parent."""
    names = [f'{category} {at}' for at, category in enumerate((CATEGORIES * 8)[: count or random.randrange(4, 12)])]
    return [
        (str(at + 1), str(random.randrange(1, at + 1)) if at > 1 else None, name) for at, name in enumerate(names)
    ]
