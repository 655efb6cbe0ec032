import type { FeedAddress } from '../../shared/schemas/feed-address'
import { shopFormatSchema, type ShopFormat } from '../../shared/schemas/shop-format'
import { sampleDestinations } from './destination-answers'
import { ownRetailer, sampleRetailer } from './sample-records'
import { answerLinks, replacedLink } from './secret-link-answers'

export const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

export const NEW_PATH = '/feeds/secret-token/inventory.csv'

/** Without a protection. */
const OPEN_TO_ALL = {
  passwordEnd: null,
  networks: [],
  validUntil: null,
  lastRefusal: null,
} satisfies Partial<FeedAddress>

export const waitingAddress: FeedAddress = {
  id: 2,
  tokenEnd: 'x7Qa',
  createdAt: ago(30),
  expiresAt: null,
  lastUsedAt: null,
  lastClient: null,
  ...OPEN_TO_ALL,
}
/** One that was replaced, and is about to end. */
export const replacedAddress: FeedAddress = { ...replacedLink, ...OPEN_TO_ALL }

const readAt = ago(9)
export const readAddress: FeedAddress = {
  ...waitingAddress,
  lastUsedAt: readAt,
  lastClient: 'WooCommerce/9.1',
}

/** The file that a shop can read. */
export const shopFile = {
  fileName: '1.csv',
  rowCount: 1_204,
  downloadDate: ago(24),
  dataAsOf: ago(24),
  fileSize: 20_000,
  downloadUrl: '/api/1.csv',
  newerFile: null,
  nextUpdateAt: null,
  freshness: 'on-time',
}

export const shopUsage = {
  id: 1,
  visibleRows: 1_204,
  lastPull: null as string | null,
  client: null as string | null,
  pullsIn7Days: 0,
  versionsBehind: null,
  isSilent: false,
  isDeliveryPaused: false,
}
export const usedShop = {
  ...shopUsage,
  lastPull: readAt,
  client: 'WooCommerce/9.1',
  pullsIn7Days: 31,
}

const shopDownload = {
  id: 1,
  downloadedAt: readAt,
  fileName: '1.csv',
  dataAsOf: ago(24),
  rowCount: 1_204,
  fileSize: 20_000,
  client: 'WooCommerce/9.1',
}

/** Answers for the page where a shop is connected, and what it has been asked for. */
export function answerShop(addresses: FeedAddress[], stored: Partial<ShopFormat> = {}) {
  let profile = shopFormatSchema.parse(stored)
  const previewed: ShopFormat[] = []
  const saved: ShopFormat[] = []
  const links = answerLinks('feedAddresses', addresses, NEW_PATH, OPEN_TO_ALL)
  const answers = {
    ...links.answers,
    'app.info': () => ({ appName: 'Stockbridge', publicUrl: 'https://stock.example' }),
    'destinations.list': () => sampleDestinations([]),
    'retailers.own': () => ownRetailer,
    'retailers.get': () => sampleRetailer,
    'retailers.latestFile': () => shopFile as object,
    'retailers.usage': () => [
      addresses.some(({ lastUsedAt }) => lastUsedAt) ? usedShop : shopUsage,
    ],
    'retailers.downloads': () => [shopDownload],
    'profiles.get': () => ({
      profile,
      columns: [
        { name: 'sku', role: 'sku' },
        { name: 'name', role: null },
      ],
      problems: [{ line: null, message: 'Rows without a SKU were left out.', count: 3 }],
    }),
    'profiles.preview': (input: { profile: ShopFormat }) => {
      previewed.push(input.profile)
      return { columns: ['sku'], columnCount: 1, rows: [['A1']], problems: [], isPartial: false }
    },
    'profiles.save': (input: { profile: ShopFormat }) => {
      saved.push(input.profile)
      ;({ profile } = input)
      return { message: 'Saved' }
    },
  }
  return { answers, calls: links.calls, previewed, saved }
}
