import { normalizeName } from '../normalize-name'

/** Parts of normalized names of columns whose texts repeat, but are no categories. */
const OTHER_NAMES = (
  'brand marke marca marque merk znacka vendor hersteller manufact fabricant fabrikant producent ' +
  'produttore fabricante vyrobce proizvoda supplier lieferant fournisseur dostawca dobavljac ' +
  'color colour farbe couleur colore barva boja kolor kleur farve farg size grosse taille talla taglia ' +
  'velikost velicina rozmiar maat tamanho currency wahrung devise moneda valuta waluta unit einheit ' +
  'unidad jednotka jedinica country land pays pais paese kraj zeme drzava origin herkunft status ' +
  'state avail verfugb dispo condition zustand gender geschlecht sexe genero season saison material ' +
  'fabric stoff matiere warehouse lager magazzino shipping versand deliver liefer tax vat mwst ' +
  'language sprache image url link title titel naziv nazwa nazev desc opis popis tag keyword author ' +
  'option variant attribut merkmal value valeur valor wert autor artist format style stil model city stadt location standort contact person customer'
).split(' ')

const COLOURS = new Set(
  (
    'black white red green blue yellow orange purple pink brown grey gray beige navy silver gold ' +
    'turquoise violet khaki ivory cream schwarz weiss rot grun blau gelb lila rosa braun grau silber ' +
    'noir blanc blanche rouge vert verte bleu bleue jaune rose marron gris argent negro blanco rojo ' +
    'verde azul amarillo nero bianco rosso blu giallo grigio cerna bila cervena zelena modra zluta ' +
    'crna crvena plava zuta siva czarny bialy czerwony zielony niebieski zolty szary zwart wit rood ' +
    'groen blauw geel grijs'
  ).split(' '),
)

const LETTERS = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'cs', 'hr']
/** Normalized names of countries in these languages, listed once, which takes tens of milliseconds. */
let countries: Set<string> | undefined

/** Whether a column is called like something else than categories, a brand or a colour for example. */
export function isNameOfOtherTexts(column: string): boolean {
  const name = normalizeName(column)
  return OTHER_NAMES.some((part) => name.includes(part))
}

/** Returns a function that tells whether a text of a few words is a colour or a country. */
export function createOtherTexts(): (text: string) => boolean {
  countries ??= new Set(LANGUAGES.flatMap(listCountries))
  const known = countries
  return (text) =>
    known.has(normalizeName(text)) ||
    text.split(/[\s/,&-]+/).some((word) => COLOURS.has(normalizeName(word)))
}

function listCountries(language: string): string[] {
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })
  return LETTERS.flatMap((first) =>
    LETTERS.flatMap((second) => normalizeName(names.of(first + second) ?? '') || []),
  )
}
