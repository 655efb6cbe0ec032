import type { Attributes } from './html-tags'

/** Collects the signs by which a page for people is told from a table for programs. */
export interface PageSigns {
  open(name: string, attributes: Attributes): void
  /** Whether people can enter something, as on pages to sign in and on those of shops. */
  hasFields(): boolean
  hasScripts(): boolean
  links(): number
  /** Whether it is nothing but tables, as programs write that call them workbooks: pages have a title or headings. */
  isBare(): boolean
  /** Whether it says that another page follows. */
  hasNext(): boolean
  /** Whether its title or a heading calls it an order, or something else that was bought. */
  isOrder(): boolean
  /** Takes a text outside of the cells of tables, of a link, or of a heading or the title. */
  text(text: string, of: 'page' | 'link' | 'heading'): void
  /** Whether Excel has written the page, or another program in its way. */
  isOfExcel(): boolean
  /** Whether an office program has written it, which may be a text as well. */
  isOfOffice(): boolean
  /** Whether it shows other pages, which have the sheets of a workbook. */
  hasFrames(): boolean
}

const OF_PAGES = new Set('a h1 h2 h3 h4 h5 h6 link p script style title'.split(' '))
const FIELDS = new Set(['select', 'textarea', 'button'])
const EXCEL_NAMES = 'urn:schemas-microsoft-com:office:excel'
const EXCEL = /^(?:excel\.sheet|microsoft excel\b)/i
const OFFICE = /^(?:libreoffice|openoffice|gnumeric)\b/i

/** What tables are called that have prices and quantities of what was bought. */
export const ORDER =
  /\b(?:your order|order (?:no|nr|number|confirmation|#)|invoice|(?:shopping )?cart|basket|receipt|quotation|delivery note|rechnung|bestellung|warenkorb|lieferschein|angebot nr|facture|commande|panier|bon de livraison|faktura|objednavka|zamowienie)\b/i
/** The same in the text of a page, which may link to a cart without being one. */
const OWN_ORDER =
  /\b(?:(?:your|ihre) (?:order|bestellung)|order (?:no|nr|number|confirmation)|invoice (?:no|nr|number)|rechnungsn(?:umme)?r|votre commande|su pedido)\b/i
const NEXT_LINK =
  /^(?:next(?: page)?|older|more|show more|load more|weiter|n.chste(?: seite)?|suivante?|page suivante|siguiente|successiv[ao]|volgende|nast.pna|dal..|n.sta|n.ste)?\s{0,3}[»›→>]{0,2}$/iu
/** `Showing 1 to 20 of 600 entries`, `Page 1 of 12`. */
const ENTRIES_OF =
  /(\d{1,9}) ?(?:-|–|to|bis|à|a|al|tot|do|till) ?(\d{1,9}) (?:of|von|de|sur|di|van|z|ze|av|from|out of) ([\d.,']{1,11})/i
const PAGE_OF =
  /\b(?:page|seite|página|pagina|strona|strana|sida|side)\s(\d{1,6}) ?(?:\/|of|von|de|sur|di|van|z|ze|av) ?(\d{1,6})/i

function saysMore(text: string): boolean {
  const [, , last = '', all = ''] = ENTRIES_OF.exec(text) ?? []
  if (Number(all.replace(/\D/g, '')) > Number(last)) return true
  const [, page, pages] = PAGE_OF.exec(text) ?? []
  return Number(page) < Number(pages)
}

export function createPageSigns(): PageSigns {
  let hasFields = false
  let hasScripts = false
  let isOfExcel = false
  let isOfOffice = false
  let hasFrames = false
  let hasNext = false
  let isOrder = false
  let isBare = true
  let links = 0
  return {
    open(name, attributes) {
      if (attributes.get('rel')?.toLowerCase() === 'next') hasNext = true
      if (OF_PAGES.has(name)) isBare = false
      if (name === 'a') links++
      else if (FIELDS.has(name) || (name === 'input' && isEditable(attributes))) hasFields = true
      else if (name === 'script') hasScripts = true
      else if (name === 'iframe' || name === 'frame') hasFrames = true
      else if (name === 'html') {
        for (const value of attributes.values()) if (value === EXCEL_NAMES) isOfExcel = true
      } else if (name === 'meta' && /^(?:progid|generator)$/i.test(attributes.get('name') ?? '')) {
        const program = attributes.get('content') ?? ''
        isOfExcel ||= EXCEL.test(program)
        isOfOffice ||= OFFICE.test(program)
      } else if (name === 'x:excelworkbook') isOfExcel = true
    },
    hasFields: () => hasFields,
    hasScripts: () => hasScripts,
    links: () => links,
    isBare: () => isBare,
    hasNext: () => hasNext,
    isOrder: () => isOrder,
    text(text, of) {
      const shown = text.replace(/\s+/g, ' ').trim()
      if (of === 'heading') isOrder ||= ORDER.test(shown)
      else if (of === 'link') hasNext ||= shown !== '' && NEXT_LINK.test(shown)
      else {
        hasNext ||= saysMore(shown)
        isOrder ||= OWN_ORDER.test(shown)
      }
    },
    isOfExcel: () => isOfExcel,
    isOfOffice: () => isOfOffice,
    hasFrames: () => hasFrames,
  }
}

/** Grids of ASP.NET have fields for truth values that cannot be changed, and hidden ones. */
export function isEditable(attributes: Attributes): boolean {
  return attributes.get('type')?.toLowerCase() !== 'hidden' && !attributes.has('disabled')
}
