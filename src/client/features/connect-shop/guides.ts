import { ADDRESS_USER_NAME } from '../../../shared/address-protection'
import { DELIMITER_LABELS } from '../../../shared/delimiters'
import type { ShopFormat } from '../../../shared/schemas/shop-format'
import { delimiterOf, FILE_DELIMITERS, WORKBOOK_NAME } from '../../../shared/shop-formats'
import type { Shop } from '../../lib/shop-view'
import { toTextUrl } from './script-examples'

/** What a drawn window of a program shows. */
export type Scene = { program: string } & (
  | { kind: 'menu'; items: string[]; active: string; tabs?: string[]; tab?: string; button: string }
  | { kind: 'form'; title: string; rows: [label: string, value: string][]; button: string }
  | { kind: 'ribbon'; tabs: string[]; tab: string; path: string[] }
  | { kind: 'sheet'; formula: string }
  | { kind: 'code'; lines: string[] }
)

export interface GuideStep {
  /** What to do; names of the program's menus and fields stand between asterisks. */
  text: string
  scene: Scene
  /** What is pasted in this step. */
  code?: string
  /** Scripts choose their own example. */
  hasExamples?: boolean
}

export interface Guide {
  /** What to know before. */
  intro: string
  steps: GuideStep[]
}

/** What of the shop format decides how the file is read. */
export type FileShape = Pick<ShopFormat, 'kind' | 'delimiter'>

interface GuideInput {
  /** The whole address, or what is shown in its place. */
  url: string
  fileName: string
  form: FileShape
  /** That the address asks for, or what is shown in its place; null without one. */
  password: string | null
}

/** How the address is pasted in each shop or program. */
export function writeGuide(shop: Shop, input: GuideInput): Guide {
  return GUIDES[shop](input)
}

/** With user name and password, for programs that take them there. */
const withPassword = (url: string, password: string | null) =>
  password === null ? url : url.replace('://', `://${ADDRESS_USER_NAME}:${password}@`)

/** An address as it looks in a picture. */
const PICTURED = 'https://…/feeds/…'

const GUIDES: Record<Shop, (input: GuideInput) => Guide> = {
  shopify: ({ url, password }) => ({
    intro:
      'Shopify itself reads no addresses: an app does, such as Matrixify. The app must be installed in your shop.',
    steps: [
      {
        text: 'In Shopify, open *Apps* and choose *Matrixify*.',
        scene: {
          kind: 'menu',
          program: 'Shopify',
          items: ['Home', 'Orders', 'Products', 'Apps', 'Matrixify'],
          active: 'Matrixify',
          button: 'New Import',
        },
      },
      {
        text: 'Under *Import*, paste the address in place of a file.',
        code: withPassword(url, password),
        scene: {
          kind: 'form',
          program: 'Matrixify',
          title: 'Import',
          rows: [['Link to the file', PICTURED]],
          button: 'Upload from URL',
        },
      },
      {
        text: 'Under *Options*, set *Schedule on* and *Repeat every* 1 hour, then press *Import*.',
        scene: {
          kind: 'form',
          program: 'Matrixify',
          title: 'Options',
          rows: [
            ['Schedule on', 'Today'],
            ['Repeat every', '1 hour'],
          ],
          button: 'Import',
        },
      },
    ],
  }),

  woocommerce: ({ url, password }) => ({
    intro:
      'WooCommerce itself imports only uploaded files. A plugin reads an address, such as WP All Import with its WooCommerce add-on.',
    steps: [
      {
        text: 'In WordPress, open *All Import* and choose *New Import*.',
        scene: {
          kind: 'menu',
          program: 'WordPress',
          items: ['Products', 'All Import', 'New Import', 'Manage Imports'],
          active: 'New Import',
          button: 'Download a file',
        },
      },
      {
        text: 'Choose *Download a file*, then *From URL*. Paste the address and press *Download*.',
        code: withPassword(url, password),
        scene: {
          kind: 'form',
          program: 'New Import',
          title: 'Download a file: From URL',
          rows: [['URL', PICTURED]],
          button: 'Download',
        },
      },
      {
        text: 'Choose *Existing Items* and *WooCommerce Products*, match them by SKU, and update the stock only.',
        scene: {
          kind: 'form',
          program: 'New Import',
          title: 'Import data into',
          rows: [
            ['Import type', 'Existing Items'],
            ['Post type', 'WooCommerce Products'],
          ],
          button: 'Continue to Step 2',
        },
      },
      {
        text: 'Under *Manage Imports*, open *Scheduling Options* of this import and let it run every hour.',
        scene: {
          kind: 'form',
          program: 'Manage Imports',
          title: 'Scheduling Options',
          rows: [
            ['Automatic Scheduling', 'On'],
            ['Run', 'Every hour'],
          ],
          button: 'Save',
        },
      },
    ],
  }),

  google: ({ url, password }) => ({
    intro:
      'Supplemental sources need the add-on *Advanced data source management*: switch it on under *Settings*, *Add-ons*. Your products must have the SKUs as their ids.',
    steps: [
      {
        text: 'In Merchant Center, open *Settings & tools* (the gear), *Data sources* and the tab *Supplemental sources*.',
        scene: {
          kind: 'menu',
          program: 'Merchant Center',
          items: ['Products', 'Marketing', 'Settings & tools', 'Data sources'],
          active: 'Data sources',
          tabs: ['Product sources', 'Supplemental sources'],
          tab: 'Supplemental sources',
          button: 'Add supplemental product data',
        },
      },
      {
        text: 'Choose *Add supplemental product data*, then a file by its link, and paste the address.',
        code: url,
        scene: {
          kind: 'form',
          program: 'Merchant Center',
          title: 'Add products from a file',
          rows: [['Link to your file', PICTURED]],
          button: 'Continue',
        },
      },
      {
        text:
          password === null
            ? 'Choose *Edit schedule* and a time of the day. No user name and password are needed.'
            : `Choose *Edit schedule* and a time of the day. Under *Add authentication information*, type the user name *${ADDRESS_USER_NAME}* and the password.`,
        scene: {
          kind: 'form',
          program: 'Merchant Center',
          title: 'Scheduled updates',
          rows: [
            ['Frequency', 'Daily'],
            ['Time', '06:00'],
          ],
          button: 'Save',
        },
      },
    ],
  }),

  adobe: ({ url, fileName, password }) => ({
    intro:
      'Adobe Commerce imports files from its own server, not from an address. One line of a scheduler puts the file there.',
    steps: [
      {
        text: 'On the server, run this every hour from the scheduler (cron), in the folder of Adobe Commerce.',
        code: [
          'curl --fail --silent --show-error --retry 3 \\',
          ...(password === null ? [] : [`  -u ${ADDRESS_USER_NAME}:${password} \\`]),
          `  --output var/import/${fileName} "${url}"`,
        ].join('\n'),
        scene: {
          kind: 'code',
          program: 'Server',
          lines: ['$ crontab -e', '7 * * * *  curl --fail …', `  --output var/import/${fileName}`],
        },
      },
      {
        text: 'In the Admin, open *System*, *Data Transfer*, *Scheduled Imports/Exports* and press *Add Scheduled Import*.',
        scene: {
          kind: 'menu',
          program: 'Admin',
          items: ['System', 'Data Transfer', 'Import', 'Scheduled Imports/Exports'],
          active: 'Scheduled Imports/Exports',
          button: 'Add Scheduled Import',
        },
      },
      {
        text: `Set *Entity Type* to *Stock Sources*, *Server Type* to *Local Server*, *File Directory* to *var/import* and *File Name* to *${fileName}*.`,
        scene: {
          kind: 'form',
          program: 'Admin',
          title: 'New Scheduled Import',
          rows: [
            ['Entity Type', 'Stock Sources'],
            ['Server Type', 'Local Server'],
            ['File Directory', 'var/import'],
          ],
          button: 'Save',
        },
      },
    ],
  }),

  excel: ({ url, form, password }) => ({
    intro: `Excel reads the address with Power Query (Excel 2016 and later, Windows). ${form.kind === 'workbook' ? 'Quantities and prices are numbers, all else is text' : 'All columns stay text'}, so that leading zeros are kept.`,
    steps: [
      {
        text: 'Open *Data*, *Get Data*, *From Other Sources*, *Blank Query*.',
        scene: {
          kind: 'ribbon',
          program: 'Excel',
          tabs: ['Home', 'Insert', 'Data', 'Review'],
          tab: 'Data',
          path: ['Get Data', 'From Other Sources', 'Blank Query'],
        },
      },
      {
        text: 'Open *Home*, *Advanced Editor*, replace what is there by this, and press *Done*.',
        code: writePowerQuery(url, form),
        scene: {
          kind: 'code',
          program: 'Advanced Editor',
          lines: [
            'let',
            '  File = Web.Contents("https://…"),',
            `  Table = ${form.kind === 'workbook' ? 'Excel.Workbook' : 'Csv.Document'}(File, …)`,
            'in',
          ],
        },
      },
      {
        text: `If Excel asks how to connect, choose ${password === null ? '*Anonymous*' : `*Basic*, with the user name *${ADDRESS_USER_NAME}* and the password`}. Then press *Close & Load*; later, *Refresh All* under *Data* reads it again.`,
        scene: {
          kind: 'ribbon',
          program: 'Power Query Editor',
          tabs: ['File', 'Home', 'Transform'],
          tab: 'Home',
          path: ['Close & Load'],
        },
      },
    ],
  }),

  sheets: ({ url, password }) => ({
    intro:
      password === null
        ? 'Google reads the file again about every hour, also while the sheet is closed.'
        : 'Google Sheets sends no password, so it cannot read an address that asks for one: take the password off under *Protection*, or let another program read.',
    steps: [
      {
        text: 'Paste this into the first cell (*A1*) of an empty sheet.',
        code: `=IMPORTDATA("${toTextUrl(url, 'csv')}")`,
        scene: { kind: 'sheet', program: 'Google Sheets', formula: '=IMPORTDATA("https://…")' },
      },
      {
        text: 'Google asks once whether the sheet may read the address: press *Allow access*.',
        scene: {
          kind: 'form',
          program: 'Google Sheets',
          title: 'External data',
          rows: [['Some formulas read', PICTURED]],
          button: 'Allow access',
        },
      },
    ],
  }),

  script: ({ form }) => ({
    intro: 'For programs of your own. A file that has not changed is answered without its rows.',
    steps: [
      {
        text: 'Read the address, for example like this.',
        hasExamples: true,
        scene: {
          kind: 'code',
          program: 'Terminal',
          lines: [
            '$ curl --fail --silent …',
            `  --output ${form.kind === 'workbook' ? WORKBOOK_NAME : 'inventory.csv'}`,
            ...(form.kind === 'workbook' ? [] : ['$ head -1 inventory.csv']),
          ],
        },
      },
      {
        text: 'Let a scheduler such as cron run it, for example every quarter of an hour.',
        scene: {
          kind: 'code',
          program: 'crontab -e',
          lines: ['*/15 * * * *', '  /srv/shop/read-stock.sh'],
        },
      },
    ],
  }),

  other: ({ url, form, password }) => ({
    intro: `Whatever reads ${form.kind === 'workbook' ? 'an Excel workbook' : 'a CSV file'} from an address can read this one.`,
    steps: [
      {
        text: `Look for *Import from URL*, *Remote file* or *Feed URL*, and paste the address. ${password === null ? 'It needs no user name and no password.' : `If there are fields for them, type the user name *${ADDRESS_USER_NAME}* and the password there, and paste it without both.`}`,
        code: withPassword(url, password),
        scene: {
          kind: 'form',
          program: 'Your shop',
          title: 'Import from URL',
          rows: [['Address', PICTURED]],
          button: 'Import',
        },
      },
      {
        text: 'Say how the file is to be read, where you are asked.',
        scene: {
          kind: 'form',
          program: 'Your shop',
          title: 'How to read it',
          rows: [
            ...(form.kind === 'workbook'
              ? ([['Type', 'Excel workbook (.xlsx)']] satisfies [string, string][])
              : textRows(form)),
          ],
          button: 'Continue',
        },
      },
      {
        text: 'Match your products by *SKU*, take the *quantity* as their stock, and let it run every hour.',
        scene: {
          kind: 'form',
          program: 'Your shop',
          title: 'Match the columns',
          rows: [
            ['SKU', 'sku'],
            ['Stock', 'quantity'],
          ],
          button: 'Save',
        },
      },
    ],
  }),
}

const textRows = (form: FileShape): [label: string, value: string][] => [
  ['Type', 'CSV, with a header'],
  ['Encoding', 'UTF-8'],
  ['Delimiter', DELIMITER_LABELS[delimiterOf(form)]],
]

function writePowerQuery(url: string, form: FileShape): string {
  if (form.kind === 'workbook') {
    return [
      'let',
      `  File = Web.Contents("${url}"),`,
      '  Sheets = Table.SelectRows(Excel.Workbook(File, true, true), each [Kind] = "Sheet")',
      'in',
      '  Table.Combine(Sheets[Data])',
    ].join('\n')
  }
  const delimiter = delimiterOf(form)
  const written = delimiter === FILE_DELIMITERS.tab ? '#(tab)' : delimiter
  return [
    'let',
    `  File = Web.Contents("${url}"),`,
    `  Table = Csv.Document(File, [Delimiter = "${written}", Encoding = 65001, QuoteStyle = QuoteStyle.Csv])`,
    'in',
    '  Table.PromoteHeaders(Table)',
  ].join('\n')
}
