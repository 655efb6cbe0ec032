import { ADDRESS_USER_NAME } from '../../../shared/address-protection'
import type { Shop } from '../../lib/shop-view'

interface ShopInvitation {
  storeName: string | null
  supplierName: string | null
  /** Of the product. */
  origin: string
  shop: Shop | undefined
  /** The address of the shop, only while it is known as a whole. */
  newUrl: string | undefined
  /** Whether the address asks for one. */
  hasPassword: boolean
}

/** The message by which a supplier sends a retailer to the page where its shop is connected. */
export function writeShopInvitation(input: ShopInvitation): { subject: string; text: string } {
  const { storeName, supplierName, origin, shop, newUrl, hasPassword } = input
  const from = supplierName ? ` from ${supplierName}` : ''
  return {
    subject: `Connect your shop to the stock${from}`,
    text: [
      `Hello${storeName ? ` ${storeName}` : ''},`,
      '',
      `your shop can read its stock${from} by itself. Sign in and follow the steps:`,
      '',
      `${origin}/retailer/shop${shop ? `?shop=${shop}` : ''}`,
      ...(newUrl
        ? ['', 'The address that you paste in your shop; keep it to yourself:', '', newUrl]
        : []),
      ...(hasPassword
        ? [
            '',
            `It asks for the user name ${ADDRESS_USER_NAME} and a password, which you get separately.`,
          ]
        : []),
    ].join('\n'),
  }
}
