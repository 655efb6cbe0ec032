import { DownloadLink } from '../components/layout/download-link'
import { PageHeader } from '../components/layout/page-header'
import { toAuditFilter } from '../features/audit/audit-filter'
import { AuditPanel } from '../features/audit/audit-panel'
import { toExportHref } from '../lib/export-href'
import { useAuditView } from '../lib/use-audit-view'
import { usePageTitle } from '../session/page-title'

/** Everything that anybody did, for administrators. */
export function AuditPage() {
  usePageTitle('Audit Log')
  const [view, setView] = useAuditView()
  return (
    <>
      <PageHeader
        title="Audit Log"
        subtitle="Every change and sign-in, with who made it; kept for a year"
        actions={
          <DownloadLink
            variant="default"
            href={toExportHref('/api/admin/audit.csv', toAuditFilter(view))}
          >
            Export CSV
          </DownloadLink>
        }
      />
      <AuditPanel view={view} isAdministrator onViewChange={setView} />
    </>
  )
}
