import { Button, Text } from '@mantine/core'

import type { DirectoryCard } from '../../../shared/schemas/directory'
import { StatusBadge } from '../../components/feedback/status-badge'
import { formatDate } from '../../lib/time-format'
import { useMay } from '../../session/may'
import { CardFace } from './card-face'
import { useWithdraw } from './use-withdraw'

import classes from './directory-cards.module.css'

interface DirectoryCardsProps {
  cards: readonly DirectoryCard[]
  onAsk: (card: DirectoryCard) => void
}

/** The suppliers of a page of the directory. */
export function DirectoryCards({ cards, onAsk }: DirectoryCardsProps) {
  const mayAsk = useMay('company')
  const withdraw = useWithdraw()
  return (
    <div className={classes.cards}>
      {cards.map((card) => (
        <CardFace key={card.card} card={card}>
          <State card={card} />
          {mayAsk && card.state === 'pending' && (
            <Button
              size="xs"
              variant="default"
              aria-label={`Withdraw the request to ${card.name}`}
              disabled={withdraw.isPending}
              onClick={() => withdraw.mutate({ card: card.card })}
            >
              Withdraw
            </Button>
          )}
          {mayAsk && isOpenToAsk(card) && (
            <Button
              size="xs"
              aria-label={`Request access to ${card.name}`}
              onClick={() => onAsk(card)}
            >
              Request access
            </Button>
          )}
          {!mayAsk && isOpenToAsk(card) && (
            <Text fz="sm" c="dimmed">
              Owners of your company ask for its files.
            </Text>
          )}
        </CardFace>
      ))}
    </div>
  )
}

const isOpenToAsk = ({ state, askAgainAt }: DirectoryCard) =>
  (state === 'none' || state === 'declined') && askAgainAt === null

function State({ card: { state, askAgainAt } }: { card: DirectoryCard }) {
  if (state === 'supplier') return <StatusBadge tone="good">Your supplier</StatusBadge>
  if (state === 'pending') return <StatusBadge tone="warn">Request pending</StatusBadge>
  return (
    <>
      {state === 'declined' && <StatusBadge tone="neutral">Not accepted</StatusBadge>}
      {askAgainAt !== null && (
        <Text fz="sm" c="dimmed">
          You can ask again from {formatDate(askAgainAt)} on.
        </Text>
      )}
    </>
  )
}
