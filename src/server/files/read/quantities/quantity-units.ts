/** Words that may follow a quantity without changing it, in lower case and without a full stop. */
const WORDS = [
  // Pieces
  'pc pcs pce pces piece pieces unit units each ea item items nos ct cnt qty',
  'st stk stck stück stücke stueck stuck stuks styk stykk stycken szt sztuk sztuka sztuki',
  'pz pzs pza pzas pezzo pezzi pieza piezas pièce pièces peça peças pç pçs',
  'un und unid unids unidad unidades unidade unité unités unità u ud uds',
  'ks kus kusy kusů kusov kom komad komada kos kosov db darab buc bucată bucăți bucati',
  'kpl kappale kappaletta tk tükk vnt vienetai vienetų gab gabali adet ad',
  'шт штук штука штуки бр броя од τεμ τεμάχια τεμάχιο יח יחידות قطعة قطع',
  '個 个 件 台 点 點 枚 本 只 支 張 张 冊 册 套 개 세트 セット ชิ้น',
  // Codes of UN/ECE Recommendation 20
  'h87 c62 nar',
  // Packages
  'pair pairs pr prs paar paare set sets roll rolls rolle rollen pack packs pk pks box boxes',
  'bag bags bottle bottles can cans',
  // Measures
  'kg g l ml m cm mm m2 m² lb lbs oz',
].join(' ')

const PHRASES = [
  'in stock',
  'on hand',
  'available',
  'left',
  'auf lager',
  'verfügbar',
  'en stock',
  'disponible',
  'disponibles',
  'disponibili',
]

const UNITS = new Set([...WORDS.split(' '), ...PHRASES])

/** Whether a text after a number says only what is counted: `pcs`, `St.`, `шт`. */
export function isUnit(text: string): boolean {
  return UNITS.has(text.normalize('NFC').toLowerCase().replace(/\.$/, ''))
}
