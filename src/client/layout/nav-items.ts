import {
  IconActivity,
  IconBuildingStore,
  IconBuildingWarehouse,
  IconClockPlay,
  IconLayoutDashboard,
  IconListDetails,
  IconPlugConnected,
  IconSettings,
  IconTable,
  type Icon,
} from '@tabler/icons-react'
import type { LinkProps } from '@tanstack/react-router'

import type { Role } from '../../shared/constants'

export interface NavItem {
  label: string
  to: NonNullable<LinkProps['to']>
  icon: Icon
  /** Highlighted on its own path only, not on subpaths. */
  isExact?: boolean
  /** Another path of the same screen. */
  alias?: string
  /** Paths that begin with this belong to the screen as well. */
  subpaths?: string
}

/** The sidebar's menu items by role. */
export const NAV_ITEMS: Record<Role, NavItem[]> = {
  SUPER_ADMIN: [
    {
      label: 'Dashboard',
      to: '/dashboard/super-admin',
      icon: IconLayoutDashboard,
      isExact: true,
      alias: '/',
      subpaths: '/dashboard/super-admin/suppliers/',
    },
    { label: 'Cron Jobs', to: '/dashboard/super-admin/cron-jobs', icon: IconClockPlay },
    { label: 'Settings', to: '/dashboard/super-admin/settings', icon: IconSettings },
    { label: 'Operations', to: '/dashboard/super-admin/operations', icon: IconActivity },
    { label: 'Audit Log', to: '/audit', icon: IconListDetails },
  ],
  SUPPLIER: [
    { label: 'Dashboard', to: '/supplier', icon: IconLayoutDashboard, isExact: true },
    {
      label: 'Retailers',
      to: '/supplier/retailers',
      icon: IconBuildingStore,
      subpaths: '/supplier/groups',
    },
    { label: 'Connections', to: '/supplier/connections', icon: IconPlugConnected },
    { label: 'Inventory Preview', to: '/supplier/inventory', icon: IconTable },
    {
      label: 'Settings',
      to: '/supplier/settings',
      icon: IconSettings,
      subpaths: '/supplier/card',
    },
    { label: 'Activity', to: '/supplier/activity', icon: IconListDetails },
  ],
  RETAILER: [
    { label: 'Dashboard', to: '/retailer', icon: IconLayoutDashboard, isExact: true },
    { label: 'Inventory Preview', to: '/retailer/inventory', icon: IconTable },
    { label: 'Settings', to: '/retailer/settings', icon: IconSettings },
    { label: 'Connect your shop', to: '/retailer/shop', icon: IconBuildingStore },
    { label: 'Find suppliers', to: '/retailer/directory', icon: IconBuildingWarehouse },
  ],
}
