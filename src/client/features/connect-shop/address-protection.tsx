import { Text } from '@mantine/core'
import { IconShieldLock } from '@tabler/icons-react'
import { useState } from 'react'

import type { FeedAddress } from '../../../shared/schemas/feed-address'
import { lazyDialog } from '../../components/dialog/lazy-dialog'
import { StatusBadge } from '../../components/feedback/status-badge'
import { DefinitionList } from '../../components/layout/definition-list'
import { PanelButton } from '../../components/layout/panel-button'
import { formatDate } from '../../lib/time-format'
import { useNow } from '../../lib/use-now'
import { isExpired } from './shop-read'

import classes from './address-protection.module.css'

const ProtectAddressDialog = lazyDialog(
  async () => (await import('./protect-address-dialog')).ProtectAddressDialog,
)

interface AddressProtectionProps {
  retailerId: number
  /** The newest one: all have the same protection. */
  address: FeedAddress
  mayChange: boolean
  /** The whole address, while it is known. */
  url: string | undefined
  onNewPassword: (password: string | null) => void
}

/** What protects a feed address besides its secret part. */
export function AddressProtection({ address, mayChange, ...dialog }: AddressProtectionProps) {
  const [isOpen, setIsOpen] = useState(false)
  const hasExpired = isExpired(address, useNow())
  const { passwordEnd, networks, validUntil } = address
  const isProtected = passwordEnd !== null || networks.length > 0 || validUntil !== null
  return (
    <section className={classes.protection} aria-labelledby="address-protection">
      <div className={classes.head}>
        <h3 id="address-protection" className={classes.title}>
          Protection
        </h3>
        {mayChange && (
          <PanelButton icon={IconShieldLock} onClick={() => setIsOpen(true)}>
            {hasExpired ? 'Extend' : isProtected ? 'Change protection' : 'Add protection'}
          </PanelButton>
        )}
      </div>
      {isProtected ? (
        <DefinitionList
          items={[
            {
              term: 'Password',
              value: <PasswordEnd end={passwordEnd} />,
            },
            { term: 'Networks', value: networks.length === 0 ? 'Any' : networks.join(', ') },
            { term: 'Expires', value: <End validUntil={validUntil} hasExpired={hasExpired} /> },
          ]}
        />
      ) : (
        <Text c="dimmed" fz="sm" textWrap="pretty">
          Whoever knows the address can read it. A password, a list of networks or an end can be
          added.
        </Text>
      )}
      <ProtectAddressDialog
        {...dialog}
        address={address}
        hasExpired={hasExpired}
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
      />
    </section>
  )
}

const PasswordEnd = ({ end }: { end: string | null }) =>
  end === null ? (
    'None'
  ) : (
    <>
      Asked for; ends in <span className={classes.end}>…{end}</span>
    </>
  )

function End({ validUntil, hasExpired }: { validUntil: string | null; hasExpired: boolean }) {
  if (validUntil === null) return 'Never'
  if (!hasExpired) return `On ${formatDate(validUntil)}`
  return <StatusBadge tone="bad">Expired on {formatDate(validUntil)}</StatusBadge>
}
