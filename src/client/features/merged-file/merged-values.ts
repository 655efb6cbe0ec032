import { PREFIX_MAX_LENGTH } from '../../../shared/merged-files'
import type {
  MergedRules,
  SaveMergedFileInput,
  ShownMergedFile,
} from '../../../shared/schemas/merged-file'

export type Relation = ShownMergedFile['relations'][number]
export type Settings = NonNullable<ShownMergedFile['settings']>

/** A supplier in the form; empty texts are what is not said. */
export interface PartValues {
  retailerId: number
  prefix: string
  currency: string
  costColumn: string
}

/** How a merged file is made, as the form has it. */
export interface MergedValues extends Record<string, unknown> {
  rules: Omit<MergedRules, 'currency'> & { currency: string }
  parts: PartValues[]
}

const DEFAULT_RULES: MergedValues['rules'] = {
  quantity: 'cheapest',
  priceRules: null,
  maxAgeHours: null,
  currency: '',
}

export const nameOf = ({ supplier }: Pick<Relation, 'supplier'>) => supplier || 'Unnamed supplier'

/**
 * Proposes a prefix for the SKUs of a supplier: the first letters of its name and a hyphen, with a number if another
 * one has it. None begins with another one, as each has one hyphen, at its end.
 */
function proposePrefix(supplier: string, taken: readonly string[]): string {
  const letters = supplier.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
  const [start] = /^.{1,4}/u.exec(letters) ?? ['S']
  for (let number = 1; ; number++) {
    const prefix = `${start}${number === 1 ? '' : number}-`.slice(-PREFIX_MAX_LENGTH)
    const isTaken = taken.some((other) => other.startsWith(prefix) || prefix.startsWith(other))
    if (!isTaken) return prefix
  }
}

/** Adds a supplier as the one that is preferred least. */
export function addPart(parts: readonly PartValues[], relation: Relation): PartValues[] {
  const taken = parts.map(({ prefix }) => prefix).filter((prefix) => prefix !== '')
  const { retailerId, supplier } = relation
  const prefix = proposePrefix(supplier, taken)
  return [...parts, { retailerId, prefix, currency: '', costColumn: '' }]
}

/** What the form of a merged file begins with. */
export function toValues({ settings, relations }: ShownMergedFile): MergedValues {
  if (!settings) {
    const parts = relations.reduce<PartValues[]>(addPart, [])
    return { rules: DEFAULT_RULES, parts }
  }
  return {
    rules: { ...settings.rules, currency: settings.rules.currency ?? '' },
    parts: relations.flatMap(({ retailerId, part }) =>
      part
        ? [
            {
              retailerId,
              prefix: part.prefix,
              currency: part.currency ?? '',
              costColumn: part.costColumn ?? '',
            },
          ]
        : [],
    ),
  }
}

const orNull = (text: string) => (text.trim() === '' ? null : text)

/** What is saved of the form, with its fields at the same paths. */
export const toInput = ({ rules, parts }: MergedValues) => ({
  rules: { ...rules, currency: orNull(rules.currency) },
  parts: parts.map((part) => ({
    ...part,
    currency: orNull(part.currency),
    costColumn: orNull(part.costColumn),
  })),
})

/** What is saved with a shop format: all else as it is. */
export const withShopFormat = (
  file: ShownMergedFile,
  profile: SaveMergedFileInput['profile'],
): SaveMergedFileInput => ({ ...toInput(toValues(file)), profile })
