import type { DecimalMark } from '../../../shared/schemas/column-numbers'
import { COLUMN_ROLES, type ColumnRole } from '../../../shared/shop-formats'

export const roleNames = COLUMN_ROLES

export const ROLE_LABELS: Record<ColumnRole, string> = {
  sku: 'SKU',
  quantity: 'Quantity',
  barcode: 'Barcode',
  price: 'Price',
}

export const DECIMAL_MARK_LABELS: Record<DecimalMark | 'automatic', string> = {
  automatic: 'Automatic',
  comma: 'Comma',
  point: 'Point',
}
