import { COLUMN_ROLES, type ColumnRole } from '../../shared/shop-formats'

export const roleNames = COLUMN_ROLES

export const ROLE_LABELS: Record<ColumnRole, string> = {
  sku: 'SKU',
  quantity: 'Quantity',
  barcode: 'Barcode',
  price: 'Price',
  restockDate: 'Restock date',
  restockQuantity: 'Restock quantity',
  cost: 'Cost',
  currency: 'Currency',
}
