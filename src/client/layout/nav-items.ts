import {
  IconActivity,
  IconBuildingStore,
  IconBuildingWarehouse,
  IconClockPlay,
  IconLayoutDashboard,
  IconListDetails,
  IconPlugConnected,
  IconServer2,
  IconSettings,
  IconStack2,
  IconTable,
  type Icon,
} from '@tabler/icons-react'
import type { LinkProps } from '@tanstack/react-router'

import type { Role } from '../../shared/constants'
import { useSignedInUser } from '../session/current-user'
import { useOwnRetailer } from '../session/relation'

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
  /** Only for retailers with several suppliers. */
  isForSeveral?: boolean
}

/** The menu items of the signed-in user. */
export function useNavItems(): NavItem[] {
  const { role } = useSignedInUser()
  const { data } = useOwnRetailer({ enabled: role === 'RETAILER' })
  const hasSeveral = (data?.relations.length ?? 0) > 1
  return NAV_ITEMS[role].filter(({ isForSeveral }) => !isForSeveral || hasSeveral)
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
    { label: 'System', to: '/dashboard/super-admin/system', icon: IconServer2 },
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
    { label: 'Merged file', to: '/retailer/merged-file', icon: IconStack2, isForSeveral: true },
    { label: 'Find suppliers', to: '/retailer/directory', icon: IconBuildingWarehouse },
  ],
}
