import { countKnownNames } from '../../read/dialect/header'
import { normalizeName } from '../../read/normalize-name'
import { OTHER_SCRIPTS } from '../../read/other-scripts'
import { namesAtPath } from '../../read/path-names'
import { QUANTITY_NAMES } from '../../read/quantities/quantity-column'
import { ROLE_NAMES, WEAK_KEYS } from '../../shop-formats/column-roles'

/** A field of records: the names on the way to it, and how many of the records have it. */
export interface Field {
  path: string[]
  share: number
}

/** What fields are worth as columns of an inventory. */
export interface Worth {
  total: number
  /** Whether there is a field by which items are known everywhere: a SKU or barcode. */
  hasKey: boolean
  /** Whether there is one by which they are known to their sender, or less. */
  hasId: boolean
  hasPrice: boolean
  hasQuantity: boolean
  /** Whether they are those of goods: other things have names, ids or numbers, too. */
  areGoods: 'yes' | 'perhaps' | 'no'
}

const KEYS = new Set([
  ...ROLE_NAMES.sku.filter((name) => !WEAK_KEYS.has(name)),
  ...ROLE_NAMES.barcode,
  ...'aid supplieraid supplierpid supplieritemid vendorcode mpn articul symbol'.split(' '),
])
/** With whose they are in front: `SupplierItemNumber`, `ProductGTIN`. */
const KEY_END = /(?:gtin|sku|barcode|(?:item|product|article|part)number)$/
const QUANTITIES = new Set(QUANTITY_NAMES)
const PRICES = new Set(OTHER_SCRIPTS.price)
const PRICE = /pri[cxs]|preis|preci?o|prezz|prijs|cena|cijena|hinta|цена/

/** Whether fields with these names are keys, and so on; the first that holds is what a field is. */
const KINDS = [
  { kind: 'key', worth: 4, test: (name: string) => KEYS.has(name) || KEY_END.test(name) },
  { kind: 'price', worth: 3, test: (name: string) => PRICE.test(name) || PRICES.has(name) },
  { kind: 'quantity', worth: 3, test: (name: string) => QUANTITIES.has(name) },
  { kind: 'id', worth: 2, test: (name: string) => WEAK_KEYS.has(name) },
] as const
const KNOWN_WORTH = 1
const OTHER_WORTH = 0.25
/** More columns do not make it more of an inventory. */
const MAX_KNOWN = 6
const MAX_OTHERS = 20
/** Fields that fewer records have say little. */
const MIN_SHARE = 0.02
const LEAST_COMMON_SHARE = 0.5
/** Fields of what has prices and quantities, too, but is bought or written rather than offered; by normalized names. */
const OTHER_FIELDS =
  /^(?:e?mail|(?:order|invoice)(?:id|no|nr|date|total|status)|(?:order|invoice)number|customer(?:id|no|number|name)?|invoice|user(?:id|name)|rating|review(?:id|er)?|event(?:id|type|name)?|topic|op|operation|action|httpstatus|statuscode|reason|rma|(?:units)?sold|revenue|requiredby|orderedat|(?:transaction|payment|shipment|refund)(?:id|no|number|date|status)?)$/

/** What a field is to an inventory, by the names on the way to it; undefined for most. */
export function kindOfField(path: readonly string[]): (typeof KINDS)[number]['kind'] | undefined {
  const names = namesAtPath(path)
  return KINDS.find(({ test }) => names.some(test))?.kind
}

export function judgeFields(fields: readonly Field[]): Worth {
  const found = KINDS.map(() => 0)
  let known = 0
  let others = 0
  // Where each record has other fields than the others, their names are no names of columns.
  let isOther = fields.every(({ share }) => share < LEAST_COMMON_SHARE)
  for (const { path, share } of fields) {
    if (share < MIN_SHARE) continue
    isOther ||= path.length === 1 && OTHER_FIELDS.test(normalizeName(path[0] as string))
    const names = namesAtPath(path)
    const kind = KINDS.findIndex(({ test }) => names.some(test))
    if (kind >= 0) found[kind] = Math.max(found[kind] as number, Math.min(1, share))
    else if (path.length < 3 && countKnownNames([path.at(-1) ?? '']) > 0) known++
    else others++
  }
  const [key = 0, price = 0, quantity = 0, id = 0] = found
  const isSold = price > 0 || quantity > 0
  const named = found.reduce((sum, share, kind) => sum + share * (KINDS[kind]?.worth ?? 0), 0)
  return {
    total:
      named + KNOWN_WORTH * Math.min(known, MAX_KNOWN) + OTHER_WORTH * Math.min(others, MAX_OTHERS),
    hasKey: key > 0,
    hasId: id > 0 || key > 0,
    hasPrice: price > 0,
    hasQuantity: quantity > 0,
    areGoods: judgeGoods({ hasKey: key > 0, hasId: id > 0, isSold, hasKnown: known > 0, isOther }),
  }
}

interface Signs {
  hasKey: boolean
  hasId: boolean
  isSold: boolean
  hasKnown: boolean
  isOther: boolean
}

function judgeGoods({ hasKey, hasId, isSold, hasKnown, isOther }: Signs): Worth['areGoods'] {
  const areKnown = hasKey ? isSold || hasKnown : isSold && (hasId || hasKnown)
  if (areKnown && !isOther) return 'yes'
  return hasKey || hasId || isSold ? 'perhaps' : 'no'
}

const VARIANT_LIST =
  /^(?:product)?(?:variant|variation|variante|tradeitem|varianta|varianti|wariant|variacion|combination|child|children|sku|size|grosse|taille|talla|rozmiar|velikost)/
/** Lists of things that belong to a record, and are no rows, whatever they have. */
const NO_VARIANTS =
  /^(?:image|img|picture|photo|media|gallery|video|file|document|attachment|download|shipping|delivery|tax(?:es)?$|pric(?:e|ing)|tier|discount|stock|warehouse|inventor|location|store|branch|categor|tag|keyword|review|rating|comment|translation|language|locale|related|relation|accessor|cross|upsell|similar|alternative|substitute|replacement|compatib|component|bundle|spare|packag|packing|bom|supplier|vendor|manufacturer|competitor|certificate|meta|note|history|seo|collection|barcode|ean|reference|mime)|(?:price|image|barcode|stock|translation)s?$/
/** Lists that are variants only if they have keys with prices or quantities. */
const SELDOM_VARIANTS =
  /^(?:option|set|unit|attribute|param|propert|feature|spec|characteristic|label|link|group|part|custom)/

export const areCalledVariants = (name: string): boolean => VARIANT_LIST.test(normalizeName(name))

/**
 * Whether a list in records has their variants, of which each is a row.
 * @param path from the record to the variant
 */
export function areVariants(path: readonly string[], variant: Worth, record: Worth): boolean {
  const names = path.map(normalizeName)
  if (names.some((name) => NO_VARIANTS.test(name))) return false
  const isSold = variant.hasPrice || variant.hasQuantity
  if (names.some((name) => SELDOM_VARIANTS.test(name))) return variant.hasKey && isSold
  if (names.some((name) => VARIANT_LIST.test(name))) return true
  if (variant.hasKey) return isSold || !record.hasKey
  return isSold && !record.hasPrice && (variant.hasId || !record.hasQuantity)
}
