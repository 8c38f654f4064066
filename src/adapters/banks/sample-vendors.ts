// Made-up vendor accounts for test mode. Live mode never sees them.

export const SAMPLE_VENDORS = [
  { name: 'Sandbox Vendor One', number: '9900000011', bank: 'Providus Bank' },
  { name: 'Sandbox Vendor Two', number: '9900000028', bank: 'Wema Bank' },
  { name: 'Sandbox Vendor Three', number: '9900000035', bank: 'Sterling Bank' },
] as const;
