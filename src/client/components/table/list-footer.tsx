import { NativeSelect, Pagination } from '@mantine/core'

import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '../../../shared/constants'
import { formatCount } from '../../../shared/format'
import type { ListView } from '../../lib/list-view'
import { useIsPhone } from '../../lib/use-is-phone'

import classes from './list-footer.module.css'

interface ListFooterProps {
  page: { matchCount: number; page: number; pageCount: number }
  view: ListView
  onViewChange: (change: ListView) => void
}

/** Whether there is something to choose. */
export function needsFooter({ matchCount, pageCount }: ListFooterProps['page']): boolean {
  return pageCount > 1 || matchCount > PAGE_SIZES[0]
}

/** The rows per page, which rows these are, and the other pages. */
export function ListFooter({ page, view, onViewChange }: ListFooterProps) {
  const isPhone = useIsPhone()
  const size = view.size ?? DEFAULT_PAGE_SIZE
  const first = (page.page - 1) * size + 1
  const last = Math.min(page.page * size, page.matchCount)
  return (
    <div className={classes.footer}>
      <div className={classes.size}>
        <span aria-hidden="true">Rows per page</span>
        <NativeSelect
          size="xs"
          aria-label="Rows per page"
          data={PAGE_SIZES.map(String)}
          value={String(size)}
          onChange={(event) => {
            const chosen = PAGE_SIZES.find((known) => String(known) === event.currentTarget.value)
            onViewChange({
              size: chosen === DEFAULT_PAGE_SIZE ? undefined : chosen,
              page: undefined,
            })
          }}
        />
      </div>
      <span data-figures>
        {formatCount(first)}–{formatCount(last)} of {formatCount(page.matchCount)}
      </span>
      {page.pageCount > 1 && (
        <Pagination
          size="sm"
          className={classes.pages}
          siblings={isPhone ? 0 : 1}
          total={page.pageCount}
          value={page.page}
          onChange={(number) => onViewChange({ page: number === 1 ? undefined : number })}
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
        />
      )}
    </div>
  )
}
