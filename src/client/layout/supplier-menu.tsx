import { Menu, UnstyledButton } from '@mantine/core'
import { IconSelector, IconTruckDelivery } from '@tabler/icons-react'

import type { OwnRetailer } from '../../shared/schemas/retailer'
import { Truncated } from '../components/layout/truncated'
import { useChooseRelation } from '../session/relation'

import classes from './supplier-menu.module.css'

/** The suppliers of a retailer with several, and which of them is shown. */
export function SupplierMenu({ retailer }: { retailer: OwnRetailer }) {
  const choose = useChooseRelation()
  const name = retailer.supplierName || 'Supplier'
  return (
    <div className={classes.place}>
      <Menu position="bottom-start" width={260} withinPortal={false}>
        <Menu.Target>
          <UnstyledButton className={classes.button} aria-label={`${name}, choose a supplier`}>
            <IconTruckDelivery size={18} stroke={1.75} aria-hidden="true" />
            <span className={classes.name} title={name}>
              <bdi>{name}</bdi>
            </span>
            <IconSelector size={16} stroke={1.75} aria-hidden="true" />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown className={classes.list}>
          <Menu.Label>Your suppliers</Menu.Label>
          <Menu.RadioGroup value={String(retailer.id)} onChange={(id) => choose(Number(id))}>
            {retailer.relations.map(({ id, supplierName, storeName }) => (
              <Menu.RadioItem
                key={id}
                value={String(id)}
                closeMenuOnClick
                classNames={{ itemLabel: classes.label }}
              >
                <Truncated text={supplierName || 'Supplier'} />
                {storeName && <Truncated text={storeName} tone="note" />}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
