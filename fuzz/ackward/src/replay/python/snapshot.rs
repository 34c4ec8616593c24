//! Which names a block of code finds set, and to what: the stack's word on itself at the block's time, and the constants.
//! The names are stock packetdrill's.

use std::collections::BTreeMap;

use serde::Serialize;

/// Names and the integers that they stand for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(transparent)]
pub struct Snapshot(BTreeMap<String, i128>);

impl Snapshot {
    /// What Linux answers to `TCP_INFO`, and the constants.
    ///
    /// An older kernel answers with less. Stock packetdrill then ends at once; here the missing names stay unknown, so
    /// that a block fails only where it asks for one of them, and never passes on a zero that nobody has said.
    pub fn of_tcp_info(raw: &[u8]) -> Snapshot {
        let mut snapshot = Snapshot::default();
        snapshot.insert_fields(raw, TCP_INFO);
        snapshot
    }

    /// Adds what Linux answers to `SO_MEMINFO`.
    pub fn insert_meminfo(&mut self, raw: &[u8]) {
        self.insert_fields(raw, SO_MEMINFO);
    }

    /// Adds a name, or gives it another value.
    pub fn insert(&mut self, name: &str, value: impl Into<i128>) {
        self.0.insert(name.to_owned(), value.into());
    }

    /// The names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, i128)> {
        self.0.iter().map(|(name, value)| (name.as_str(), *value))
    }

    /// Adds all the fields that are in `raw`, which lie there one behind the other.
    fn insert_fields(&mut self, raw: &[u8], fields: &[(&str, usize)]) {
        let mut start = 0;
        for &(name, bits) in fields {
            let end = start + bits;
            let Some(octets) = raw.get(start / 8..end.div_ceil(8)) else {
                return;
            };
            if name != GAP {
                // No field that is not made of whole octets crosses more than eight of them.
                let whole = octets
                    .iter()
                    .rev()
                    .fold(0, |whole, octet| whole << 8 | i128::from(*octet));
                self.insert(name, whole >> (start % 8) & ((1 << bits) - 1));
            }
            start = end;
        }
    }
}

/// The constants alone.
impl Default for Snapshot {
    fn default() -> Snapshot {
        let constants = CONSTANTS
            .iter()
            .map(|&(name, value)| (name.to_owned(), value));
        Snapshot(constants.collect())
    }
}

/// A place in a structure that has no name.
const GAP: &str = "";

/// Linux's `struct tcp_info`: its fields in order, and how many bits each has.
/// Fields of a few bits fill an octet from its low end, as on every little-endian machine; elsewhere is no gap.
const TCP_INFO: &[(&str, usize)] = &[
    ("tcpi_state", 8),
    ("tcpi_ca_state", 8),
    ("tcpi_retransmits", 8),
    ("tcpi_probes", 8),
    ("tcpi_backoff", 8),
    ("tcpi_options", 8),
    ("tcpi_snd_wscale", 4),
    ("tcpi_rcv_wscale", 4),
    ("tcpi_delivery_rate_app_limited", 1),
    ("tcpi_fastopen_client_fail", 2),
    (GAP, 5),
    ("tcpi_rto", 32),
    ("tcpi_ato", 32),
    ("tcpi_snd_mss", 32),
    ("tcpi_rcv_mss", 32),
    ("tcpi_unacked", 32),
    ("tcpi_sacked", 32),
    ("tcpi_lost", 32),
    ("tcpi_retrans", 32),
    ("tcpi_fackets", 32),
    ("tcpi_last_data_sent", 32),
    ("tcpi_last_ack_sent", 32),
    ("tcpi_last_data_recv", 32),
    ("tcpi_last_ack_recv", 32),
    ("tcpi_pmtu", 32),
    ("tcpi_rcv_ssthresh", 32),
    ("tcpi_rtt", 32),
    ("tcpi_rttvar", 32),
    ("tcpi_snd_ssthresh", 32),
    ("tcpi_snd_cwnd", 32),
    ("tcpi_advmss", 32),
    ("tcpi_reordering", 32),
    ("tcpi_rcv_rtt", 32),
    ("tcpi_rcv_space", 32),
    ("tcpi_total_retrans", 32),
    ("tcpi_pacing_rate", 64),
    ("tcpi_max_pacing_rate", 64),
    ("tcpi_bytes_acked", 64),
    ("tcpi_bytes_received", 64),
    ("tcpi_segs_out", 32),
    ("tcpi_segs_in", 32),
    ("tcpi_notsent_bytes", 32),
    ("tcpi_min_rtt", 32),
    ("tcpi_data_segs_in", 32),
    ("tcpi_data_segs_out", 32),
    ("tcpi_delivery_rate", 64),
    ("tcpi_busy_time", 64),
    ("tcpi_rwnd_limited", 64),
    ("tcpi_sndbuf_limited", 64),
    ("tcpi_delivered", 32),
    ("tcpi_delivered_ce", 32),
    ("tcpi_bytes_sent", 64),
    ("tcpi_bytes_retrans", 64),
    ("tcpi_dsack_dups", 32),
    ("tcpi_reord_seen", 32),
    ("tcpi_rcv_ooopack", 32),
    ("tcpi_snd_wnd", 32),
    ("tcpi_rcv_wnd", 32),
    ("tcpi_rehash", 32),
    ("tcpi_total_rto", 16),
    ("tcpi_total_rto_recoveries", 16),
    ("tcpi_total_rto_time", 32),
    ("tcpi_received_ce", 32),
    ("tcpi_delivered_e1_bytes", 32),
    ("tcpi_delivered_e0_bytes", 32),
    ("tcpi_delivered_ce_bytes", 32),
    ("tcpi_received_e1_bytes", 32),
    ("tcpi_received_e0_bytes", 32),
    ("tcpi_received_ce_bytes", 32),
    ("tcpi_ecn_mode", 2),
    ("tcpi_accecn_opt_seen", 2),
    ("tcpi_accecn_fail_mode", 4),
    ("tcpi_options2", 24),
];

/// Linux's array of `SO_MEMINFO`.
const SO_MEMINFO: &[(&str, usize)] = &[
    ("SK_MEMINFO_RMEM_ALLOC", 32),
    ("SK_MEMINFO_RCVBUF", 32),
    ("SK_MEMINFO_WMEM_ALLOC", 32),
    ("SK_MEMINFO_SNDBUF", 32),
    ("SK_MEMINFO_FWD_ALLOC", 32),
    ("SK_MEMINFO_WMEM_QUEUED", 32),
    ("SK_MEMINFO_OPTMEM", 32),
    ("SK_MEMINFO_BACKLOG", 32),
    ("SK_MEMINFO_DROPS", 32),
];

/// Values of `tcpi_state`, `tcpi_ca_state` and `tcpi_options`.
const CONSTANTS: &[(&str, i128)] = &[
    ("TCP_ESTABLISHED", 1),
    ("TCP_SYN_SENT", 2),
    ("TCP_SYN_RECV", 3),
    ("TCP_FIN_WAIT1", 4),
    ("TCP_FIN_WAIT2", 5),
    ("TCP_TIME_WAIT", 6),
    ("TCP_CLOSE", 7),
    ("TCP_CLOSE_WAIT", 8),
    ("TCP_LAST_ACK", 9),
    ("TCP_LISTEN", 10),
    ("TCP_CLOSING", 11),
    ("TCP_CA_Open", 0),
    ("TCP_CA_Disorder", 1),
    ("TCP_CA_CWR", 2),
    ("TCP_CA_Recovery", 3),
    ("TCP_CA_Loss", 4),
    ("TCPI_OPT_TIMESTAMPS", 1),
    ("TCPI_OPT_SACK", 2),
    ("TCPI_OPT_WSCALE", 4),
    ("TCPI_OPT_ECN", 8),
    ("TCPI_OPT_ECN_SEEN", 16),
    ("TCPI_OPT_SYN_DATA", 32),
    ("TCPI_OPT_USEC_TS", 64),
    ("TCPI_OPT_TFO_CHILD", 128),
    // What FreeBSD's scripts call the states; the numbers remain those of `tcpi_state` here.
    ("TCPI_ESTABLISHED", 1),
    ("TCPI_SYN_SENT", 2),
    ("TCPI_SYN_RECEIVED", 3),
    ("TCPI_FIN_WAIT_1", 4),
    ("TCPI_FIN_WAIT_2", 5),
    ("TCPI_TIME_WAIT", 6),
    ("TCPI_CLOSED", 7),
    ("TCPI_CLOSE_WAIT", 8),
    ("TCPI_LAST_ACK", 9),
    ("TCPI_LISTEN", 10),
    ("TCPI_CLOSING", 11),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn value(snapshot: &Snapshot, wanted: &str) -> Option<i128> {
        let mut found = snapshot.iter().filter(|(name, _)| *name == wanted);
        found.next().map(|(_, value)| value)
    }

    /// A structure of this length whose octets at `offset` are these.
    fn with(length: usize, offset: usize, octets: &[u8]) -> Snapshot {
        let mut raw = vec![0; length];
        raw[offset..offset + octets.len()].copy_from_slice(octets);
        Snapshot::of_tcp_info(&raw)
    }

    #[test]
    fn every_field_lies_where_the_kernel_puts_it() {
        assert_eq!(
            TCP_INFO.iter().map(|(_, bits)| bits).sum::<usize>(),
            280 * 8
        );
        // The offsets are those that a C compiler gives for Linux's header.
        for (offset, name) in [
            (0, "tcpi_state"),
            (8, "tcpi_rto"),
            (80, "tcpi_snd_cwnd"),
            (100, "tcpi_total_retrans"),
            (104, "tcpi_pacing_rate"),
            (136, "tcpi_segs_out"),
            (160, "tcpi_delivery_rate"),
            (192, "tcpi_delivered"),
            (224, "tcpi_rcv_ooopack"),
            (232, "tcpi_rcv_wnd"),
            (240, "tcpi_total_rto"),
            (242, "tcpi_total_rto_recoveries"),
            (272, "tcpi_received_ce_bytes"),
        ] {
            assert_eq!(value(&with(280, offset, &[7]), name), Some(7), "{name}");
        }
        let longest = with(280, 104, &[0xff; 8]);
        assert_eq!(value(&longest, "tcpi_pacing_rate"), Some(u64::MAX.into()));
    }

    #[test]
    fn fields_of_a_few_bits_are_told_apart() {
        let scales = with(280, 6, &[0xa7, 0b101]);
        assert_eq!(value(&scales, "tcpi_snd_wscale"), Some(7));
        assert_eq!(value(&scales, "tcpi_rcv_wscale"), Some(10));
        assert_eq!(value(&scales, "tcpi_delivery_rate_app_limited"), Some(1));
        assert_eq!(value(&scales, "tcpi_fastopen_client_fail"), Some(2));
        let ecn = with(280, 276, &[0b1001_1110, 1, 2, 3]);
        assert_eq!(value(&ecn, "tcpi_ecn_mode"), Some(2));
        assert_eq!(value(&ecn, "tcpi_accecn_opt_seen"), Some(3));
        assert_eq!(value(&ecn, "tcpi_accecn_fail_mode"), Some(9));
        assert_eq!(value(&ecn, "tcpi_options2"), Some(0x03_02_01));
    }

    #[test]
    fn what_a_short_answer_lacks_stays_unknown() {
        let short = with(107, 100, &[5]);
        assert_eq!(value(&short, "tcpi_total_retrans"), Some(5));
        assert_eq!(value(&short, "tcpi_pacing_rate"), None);
        assert_eq!(Snapshot::of_tcp_info(&[]), Snapshot::default());
        // One that is longer comes from a newer kernel.
        assert_eq!(
            Snapshot::of_tcp_info(&[0; 300]),
            Snapshot::of_tcp_info(&[0; 280])
        );
    }

    #[test]
    fn memory_is_added_to_what_is_known() {
        let mut snapshot = Snapshot::default();
        snapshot.insert_meminfo(&[[0; 4], 131_072_u32.to_le_bytes()].concat());
        assert_eq!(value(&snapshot, "SK_MEMINFO_RCVBUF"), Some(131_072));
        assert_eq!(value(&snapshot, "SK_MEMINFO_DROPS"), None);
        assert_eq!(value(&snapshot, "TCP_CA_Loss"), Some(4));
    }
}
