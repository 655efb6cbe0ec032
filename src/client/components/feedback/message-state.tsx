import { Group } from '@mantine/core'
import { IconAlertTriangle, IconRefresh, type Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import { errorMessage } from '../../lib/error-message'
import { PendingButton } from './pending-button'

import classes from './message-state.module.css'

interface MessageStateProps {
  icon: Icon
  title: string
  children?: ReactNode
  /** What to do next. */
  action?: ReactNode
  /** Less padding, for use inside a small card. */
  isCompact?: boolean
  /** One line where there is room, for one of several cards that may stay empty. */
  isRow?: boolean
}

/** Shown where there is no content: why, and the next step. */
export function EmptyState(props: MessageStateProps) {
  const { icon: Glyph, title, children, action, isCompact, isRow } = props
  return (
    <div
      className={classes.state}
      data-compact={isCompact || isRow || undefined}
      data-row={isRow || undefined}
    >
      <span className={classes.icon} aria-hidden="true">
        <Glyph size={20} stroke={1.75} />
      </span>
      <div className={classes.words}>
        <p className={classes.title}>{title}</p>
        {children && <div className={classes.text}>{children}</div>}
      </div>
      {action && <div className={classes.action}>{action}</div>}
    </div>
  )
}

interface ErrorStateProps {
  title: string
  message?: string | undefined
  onRetry?: (() => void) | undefined
  isRetrying?: boolean
  /** What else to do. */
  action?: ReactNode
  isCompact?: boolean
}

/** Content that could not be loaded: the reason, and a Try Again button. */
export function ErrorState({
  title,
  message,
  onRetry,
  isRetrying,
  action,
  isCompact,
}: ErrorStateProps) {
  return (
    <div
      className={classes.state}
      data-compact={isCompact || undefined}
      data-kind="error"
      role="alert"
    >
      <span className={classes.icon} aria-hidden="true">
        <IconAlertTriangle size={20} stroke={1.75} />
      </span>
      <p className={classes.title}>{title}</p>
      {message && message !== title && <div className={classes.text}>{message}</div>}
      {(onRetry || action) && (
        <Group className={classes.action} gap="xs" justify="center">
          {action}
          {onRetry && (
            <PendingButton
              variant="default"
              size="xs"
              leftSection={<IconRefresh size={14} />}
              isPending={isRetrying ?? false}
              onClick={onRetry}
            >
              Try Again
            </PendingButton>
          )}
        </Group>
      )}
    </div>
  )
}

/** The part of a query result that `LoadError` needs. */
export interface FailedQuery {
  error: unknown
  isFetching: boolean
  refetch: () => unknown
}

interface LoadErrorProps {
  title: string
  query: FailedQuery
  isCompact?: boolean
}

/** The error state of a failed query: the server's message and a retry. */
export function LoadError({ title, query, isCompact }: LoadErrorProps) {
  return (
    <ErrorState
      title={title}
      message={errorMessage(query.error)}
      onRetry={() => void query.refetch()}
      isRetrying={query.isFetching}
      isCompact={isCompact ?? false}
    />
  )
}
