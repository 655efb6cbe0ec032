import { useDocumentTitle } from '@mantine/hooks'

import { trpc } from '../trpc'

/** The product's name, which an installation may change. */
export function useAppName(): string {
  return trpc.app.info.useQuery().data?.appName ?? 'Stockbridge'
}

/** Names the browser's tab after the page. */
export function usePageTitle(title: string): void {
  const appName = useAppName()
  useDocumentTitle(`${title} · ${appName}`)
}
