import type { MemberRole } from '../../shared/constants'

export const MEMBER_ROLE_LABELS: Record<MemberRole, string> = {
  OWNER: 'Owner',
  EDITOR: 'Editor',
  VIEWER: 'Viewer',
  BUYER: 'Buyer',
  TECHNICIAN: 'Technician',
}
