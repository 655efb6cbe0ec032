import { DIGEST_KINDS, type DigestKind } from '../../../../shared/digests'
import { formatCount, formatCountOf } from '../../../../shared/format'
import type { DigestContent, DigestExample, ToldChanges } from '../../../../shared/schemas/digest'
import type { MailSection } from '../../../mail/mail-body'

const WORDS: Record<DigestKind, (count: number) => string> = {
  added: (count) => `${formatCount(count)} new`,
  removed: (count) => `${formatCount(count)} gone`,
  back: (count) => `${formatCount(count)} back in stock`,
  out: (count) => `${formatCount(count)} out of stock`,
  price: (count) => formatCountOf(count, 'changed price'),
}

/** What stands above a mail, and in its subject. */
export function digestTitle({ sources, moreSources }: DigestContent): string {
  const [first] = sources
  if (!first || sources.length + moreSources > 1) {
    return `What has changed at ${sources.length + moreSources} suppliers`
  }
  const told = DIGEST_KINDS.filter((kind) => first.counts[kind] > 0)
  return `${first.name}: ${told.map((kind) => WORDS[kind](first.counts[kind])).join(', ')}`
}

/** @param toUrl makes the address of a page */
export function digestSections(
  { sources, moreSources, pricePercent }: DigestContent,
  toUrl: (path: string) => string,
): MailSection[] {
  const sections = sources.flatMap((source) => sectionsOf(source, pricePercent, toUrl))
  if (moreSources === 0) return sections
  return [...sections, { heading: `And ${formatCountOf(moreSources, 'supplier')} more`, lines: [] }]
}

function sectionsOf(
  source: ToldChanges,
  pricePercent: number | null,
  toUrl: (path: string) => string,
): MailSection[] {
  const { name, storeName, since, until, isCut, counts, examples } = source
  const cut = isCut
    ? ['The file of the digest before is not kept any more: this is since the oldest one.']
    : []
  const about: MailSection = {
    heading: storeName === null ? name : `${name}, for ${storeName}`,
    lines: [`Between the files of ${toTime(since)} and ${toTime(until)}.`, ...cut],
    link: toUrl(source.path),
  }
  const kinds = DIGEST_KINDS.filter((kind) => counts[kind] > 0).map((kind): MailSection => {
    const listed = examples.filter((example) => example.kind === kind)
    const others = counts[kind] - listed.length
    const by = kind === 'price' && pricePercent !== null ? `, by ${pricePercent} % or more` : ''
    return {
      heading: `${WORDS[kind](counts[kind])}${by}`,
      lines: [
        ...listed.map(describeExample),
        ...(others > 0 ? [`and ${formatCount(others)} more`] : []),
      ],
    }
  })
  return [about, ...kinds]
}

function describeExample({ key, name, before, after }: DigestExample): string {
  const item = name === null ? key : `${key} · ${name}`
  return before === null || after === null ? item : `${item}: ${before || '–'} → ${after || '–'}`
}

const toTime = (at: number) => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
